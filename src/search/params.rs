//! The one table of numbers that steer the search.
//!
//! Each line: name, value, least, greatest, what it is. Margins are in
//! points, reductions in 1024ths of a ply, histories in their own unit of
//! up to 16384.

use super::structure::STRUCTURES;

/// What the tuner knows about a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParamInfo {
    /// Its name in the table.
    pub name: &'static str,
    /// The value in force.
    pub default: i32,
    /// The least value allowed.
    pub min: i32,
    /// The greatest value allowed.
    pub max: i32,
}

macro_rules! params {
    ($($name:ident = $value:expr, $min:expr, $max:expr; $doc:literal)*) => {
        /// The parameters of the search.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Params {
            $(#[doc = $doc] pub $name: i32,)*
        }

        impl Params {
            /// The table.
            pub const TABLE: &[ParamInfo] = &[$(ParamInfo {
                name: stringify!($name), default: $value, min: $min, max: $max,
            },)*];

            /// The value of the parameter of this name.
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }

            /// The parameter of this name, to change it.
            pub fn get_mut(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }

        impl Default for Params {
            fn default() -> Self {
                Self { $($name: $value,)* }
            }
        }
    };
}

params! {
    // Aspiration windows
    aspiration_depth = 4, 2, 8; "first depth that is searched with a window"
    aspiration_window = 18, 5, 40; "half width of the first window"
    aspiration_growth = 150, 20, 300; "growth of the window after a miss, in percent"

    // Whole-node pruning
    razor_base = 330, 100, 600; "razoring: margin at depth 0"
    razor_depth = 218, 100, 500; "razoring: margin per squared depth"
    rfp_depth = 8, 4, 12; "reverse futility: greatest depth"
    rfp_margin = 85, 30, 160; "reverse futility: margin per ply"
    rfp_improving = 52, 20, 150; "reverse futility: margin taken off when improving"
    null_depth = 3, 2, 5; "null move: least depth"
    null_base = 4, 2, 6; "null move: reduction at depth 0"
    null_divisor = 3, 2, 6; "null move: plies of depth per ply of reduction"
    null_eval = 239, 80, 400; "null move: evaluation above beta per ply of reduction"
    null_eval_max = 3, 1, 5; "null move: most plies from the evaluation"
    null_verify_depth = 14, 8, 20; "null move: depth from which a cutoff is verified"
    probcut_depth = 5, 3, 8; "ProbCut: least depth"
    probcut_margin = 180, 80, 320; "ProbCut: margin above beta"
    probcut_reduction = 4, 3, 5; "ProbCut: plies less"
    probcut_table_margin = 375, 250, 700; "ProbCut: margin at which the table's bound will do"
    iir_depth = 4, 2, 8; "internal iterative reduction: least depth"

    // Move pruning
    lmp_base = 4, 2, 8; "late move pruning: moves at depth 0"
    futility_depth = 9, 4, 12; "futility pruning: greatest reduced depth"
    futility_base = 81, 40, 250; "futility pruning: margin at depth 0"
    futility_margin = 99, 40, 180; "futility pruning: margin per ply"
    history_prune_depth = 6, 3, 10; "history pruning: greatest reduced depth"
    history_prune_margin = 4446, 1500, 7000; "history pruning: history per ply below which a quiet move is skipped"
    see_quiet_margin = 31, 8, 60; "SEE pruning of quiet moves: points per squared depth"
    see_capture_margin = 158, 40, 220; "SEE pruning of captures: points per ply"
    see_order_margin = 46, 0, 120; "captures that lose more than this are searched last"

    // Extensions
    extension_reach = 200, 100, 300; "plies from the root up to which moves are extended, in percent of the depth"
    singular_depth = 7, 5, 10; "singular extension: least depth"
    singular_margin = 2, 1, 4; "singular extension: points per ply below the table value"
    check_depth = 8, 0, 30; "check extension: greatest depth"
    double_margin = 23, 5, 60; "double extension: points below the singular beta"

    // Reductions
    lmr_base = 1177, 300, 1600; "late move reduction: constant part"
    lmr_divisor = 228, 150, 350; "late move reduction: divisor of ln(depth) ln(moves), in hundredths"
    lmr_root = 1332, -1024, 3072; "less at the root"
    lmr_pv = 750, 0, 2048; "less in PV nodes"
    lmr_cut = 1577, 0, 2500; "more in cut nodes"
    lmr_improving = 1417, 0, 2048; "more when not improving"
    lmr_check = 1258, 0, 2048; "less for moves that give check"
    lmr_history = 9101, 4000, 14000; "history per ply of reduction"
    lmr_tt_capture = 1021, 0, 2048; "more when the table's move is a capture"
    lmr_killer = 1106, 0, 2048; "less for killers"
    lmr_cutoffs = 1122, 0, 2048; "more when several children were cut off"
    lmr_deeper_margin = 53, 10, 120; "re-search one ply deeper when this much better"
    lmr_shallower_margin = 9, 0, 30; "re-search one ply less deep when less than this better"
    raise_reduction = 1, 0, 3; "plies less after a better move in PV nodes"
    raise_least_depth = 3, 2, 6; "least depth for that"
    raise_most_depth = 13, 8, 30; "greatest depth for that"
    hindsight = 1, 0, 1; "whether depth is corrected by how the last move's reduction looks now"
    hindsight_margin = 214, 60, 400; "sum of both sides' evaluations at which it is lowered"

    // Histories
    history_bonus = 126, 60, 300; "bonus per ply of depth"
    history_bonus_max = 1867, 800, 3000; "greatest bonus"
    history_malus = 193, 60, 300; "malus per ply of depth"
    history_malus_max = 1609, 600, 3000; "greatest malus"
    fail_low_bonus = 61, 0, 150; "bonus of the last move where nothing refutes it, in percent"
    refuted_malus = 52, 0, 150; "malus of an early move that is refuted, in percent"
    research_bonus = 65, 0, 150; "bonus of a move searched again, in percent"
    gain_weight = 53, 0, 150; "tenths of history per point that a move changed the evaluation by"
    gain_max = 1066, 200, 2000; "greatest such change"

    threat_rook = 11300, 0, 30000; "worth of moving a rook out of an attack, in the unit of histories"
    threat_piece = 3235, 0, 30000; "worth of moving a knight or cannon out of an attack"

    // Corrections of the evaluation, in 512ths
    correction_material = 16, 0, 120; "by what pieces there are"
    correction_pawns = 22, 0, 120; "by the pawns"
    correction_guards = 11, 0, 120; "by kings, advisors and bishops"
    correction_own = 31, 0, 120; "by one's rooks, knights and cannons"
    correction_other = 34, 0, 120; "by the opponent's"
    correction_moves = 41, 0, 120; "by the last two moves"

    // Quiescence
    qs_futility = 197, 60, 300; "futility margin of captures"
    qs_captures = 3, 1, 20; "captures tried, retaking aside"

    // Time
    time_stability = 8, 0, 14; "percent of time saved per depth with the same best move"
    time_score_drop = 90, 30, 200; "score drop in points that doubles the time"

    halfmove_damping = 386, 150, 600; "plies without capture at which the evaluation would fade to nothing"
}

impl Params {
    /// The weights of the corrections by structure.
    pub fn correction_weights(&self) -> [i32; STRUCTURES] {
        [
            self.correction_material,
            self.correction_pawns,
            self.correction_guards,
            self.correction_own,
            self.correction_other,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_in_their_ranges_and_names_are_found() {
        let mut params = Params::default();
        for info in Params::TABLE {
            assert!((info.min..=info.max).contains(&info.default), "{info:?}");
            assert_eq!(params.get(info.name), Some(info.default));
            assert_eq!(params.get_mut(info.name).copied(), Some(info.default));
        }
        assert_eq!(params.get_mut("no such"), None);
    }
}
