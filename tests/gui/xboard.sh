#!/usr/bin/env bash
# Chuhe plays one game against itself under XBoard, through the adapter uci2wb,
# in each of the three move forms that uci2wb knows for xiangqi:
#
#   ucci     uci2wb -x   position fen F w - - 0 1 moves ...   (FEN of the last capture or pawn move)
#   uci      uci2wb      position fen F w moves ...
#   cyclone  uci2wb -c   fen F r moves ...
#
# XBoard is the referee: it knows the moves of xiangqi and forfeits the side
# that plays an illegal one. The script checks the result, the form of the
# lines sent, that every `go` got one move, that each engine kept its colour
# and that no process is left; it takes a screenshot of every game.
#
# Usage: tests/gui/xboard.sh BINARY [FOLDER]
#   BINARY  the engine, e.g. target/release/chuhe
#   FOLDER  where logs, games and screenshots stay (default: a temporary folder)
# Exit code: 0 passed, or skipped because a program is missing; 1 failed; 2 usage.
# Debian: apt install xboard uci2wb xvfb imagemagick xdotool (the last two only for the screenshots)
set -uo pipefail

readonly CLOCK=0:20            # minutes:seconds of a period
readonly MOVES_PER_PERIOD=40
readonly OVERHEAD=200          # milliseconds a move that XBoard and the adapter take from the engine's clock
readonly GAME_LIMIT=400        # seconds for a whole game
readonly MIN_BESTMOVES=20      # fewer moves by both sides is no game
readonly SHOT_AFTER=36         # moves by both sides before the screenshot
readonly SCREEN=960x530x24
readonly THEME=/usr/share/games/xboard/themes

PATH=$PATH:/usr/games

fail() { echo "FAILED: $*" >&2; failures=$((failures + 1)); }
die() { echo "$1" >&2; exit "$2"; }

[ $# -ge 1 ] && [ $# -le 2 ] || die "usage: $0 BINARY [FOLDER]" 2
[ -x "$1" ] || die "$0: no program at '$1'" 2
for program in xboard uci2wb Xvfb; do
    command -v "$program" >/dev/null || { echo "skipped: $program is not installed"; exit 0; }
done

binary=$(realpath "$1")
folder=${2:-$(mktemp -d)}
mkdir -p "$folder" || exit 1
folder=$(realpath "$folder")
case $folder in *[[:space:]]*) die "$0: uci2wb cannot start an engine in a folder with spaces: '$folder'" 2 ;; esac
failures=0
xvfb=
xboard=

clean_up() {
    for pid in $xboard $xvfb; do kill "$pid" 2>/dev/null; done
    wait 2>/dev/null
}
trap clean_up EXIT
trap 'exit 1' INT TERM

start_screen() {
    Xvfb -displayfd 3 -screen 0 "$SCREEN" -nolisten tcp 3>"$folder/display" 2>"$folder/xvfb.log" &
    xvfb=$!
    for _ in $(seq 50); do
        [ -s "$folder/display" ] && break
        sleep 0.1
    done
    [ -s "$folder/display" ] || die "FAILED: Xvfb does not start, see $folder/xvfb.log" 1
    DISPLAY=:$(cat "$folder/display")
    HOME=$folder # neither read nor write the user's own XBoard settings
    export DISPLAY HOME
}

# write_wrapper FORM: a program that runs the engine and logs both directions
# ("> " sent to the engine, "< " said by it), one file per process.
write_wrapper() {
    ln -sf "$binary" "$folder/$1-engine"
    cat >"$folder/$1-logged" <<WRAPPER
#!/usr/bin/env bash
log=$folder/$1.\$\$.log
tee >(sed -u 's/^/> /' >>"\$log") | "$folder/$1-engine" | tee >(sed -u 's/^/< /' >>"\$log")
WRAPPER
    chmod +x "$folder/$1-logged"
}

# start_game FORM [FLAG]
start_game() {
    local engine="uci2wb debug ${2:+$2 }$folder/$1-logged" overhead="Move Overhead=$OVERHEAD" look=()
    [ "$1" = ucci ] && overhead="moveoverhead=$OVERHEAD"
    [ -d "$THEME/xiangqi" ] && look=(-pid "$THEME/xiangqi" -trueColors true -useBoardTexture true
        -liteBackTextureFile "$THEME/textures/xqboard-9x10.png"
        -darkBackTextureFile "$THEME/textures/xqboard-9x10.png"
        -overrideLineGap 0 -highlightMoveWithArrow true)
    timeout "$GAME_LIMIT" xboard "${look[@]}" -variant xiangqi -boardSize middling -fcp "$engine" -scp "$engine" \
        -matchGames 1 -timeControl "$CLOCK" -movesPerSession "$MOVES_PER_PERIOD" -xponder \
        -firstOptions "$overhead" -secondOptions "$overhead" -xanimate \
        -materialDraws false -trivialDraws false -soundProgram true -engineOutputUp true \
        -saveGameFile "$folder/$1.pgn" -nameOfDebugFile "$folder/$1.debug" -debug -xexit \
        >"$folder/$1.out" 2>&1 &
    xboard=$!
}

count_moves() { cat "$folder/$1".*.log 2>/dev/null | grep -c '^< bestmove'; }

# take_screenshot FORM: once the game is under way; without a window manager
# the script places the windows.
take_screenshot() {
    command -v import >/dev/null || { echo "no screenshot: import (ImageMagick) is not installed"; return; }
    while [ "$(count_moves "$1")" -lt "$SHOT_AFTER" ] && kill -0 "$xboard" 2>/dev/null; do sleep 0.5; done
    if command -v xdotool >/dev/null; then
        xdotool mousemove 959 529 \
            search --onlyvisible --name 'Move list' windowmove 425 384 windowsize 535 146 \
            search --onlyvisible --name 'Engine Output' windowmove 425 0 windowsize 535 380 2>/dev/null
        sleep 1
    fi
    import -window root -depth 8 -colors 128 "$folder/$1.png" || fail "$1: no screenshot"
}

# check_lines FORM: the lines that uci2wb sent have the form that we test.
check_lines() {
    local sent
    case $1 in
        ucci) sent='^> position fen [^ ]+ [wb] - - 0 1 moves' ;;
        uci) sent='^> position fen [^ ]+ w moves' ;;
        cyclone) sent='^> fen [^ ]+ r moves' ;;
    esac
    local positions
    positions=$(cat "$folder/$1".*.log | grep -cE "$sent")
    [ "$positions" -ge "$MIN_BESTMOVES" ] || fail "$1: only $positions lines like '$sent'"
    # Each log is of one engine: one colour, and an answer to every `go` but
    # perhaps the one that the end of the game cut off. (The two directions
    # are logged by two processes, so that their order means nothing.)
    awk -v form="$1" '
        function finish() {
            if (asked - answered > 1 || answered > asked + stopped) {
                print form ": " asked " searches, " answered " answers"; bad = 1
            }
            asked = answered = stopped = 0; colour = ""
        }
        FNR == 1 { finish() }
        /^> (position )?fen / {
            side = ($2 == "fen") ? $4 : $5; plies = 0; listing = 0
            for (i = 3; i <= NF; i++) { if (listing) plies++; if ($i == "moves") listing = 1 }
            now = ((side == "b") + plies) % 2 ? "black" : "red"
        }
        /^> go / {
            if (colour != "" && colour != now) { print form ": asked to play both colours"; bad = 1 }
            asked++; colour = now; seen[now] = 1
        }
        /^> stop/ { stopped++ } # an idle engine answers it in UCCI
        /^< bestmove/ && $3 !~ /^([a-i][0-9][a-i][0-9]|\(none\))$/ { print form ": no move: " $0; bad = 1 }
        /^< (bestmove|nobestmove)/ { answered++ }
        END {
            finish()
            if (!seen["red"] || !seen["black"]) { print form ": a colour was never played"; bad = 1 }
            exit bad
        }
    ' "$folder/$1".*.log >&2 || fail "$1: see the lines above and the logs $folder/$1.*.log"
}

# check_result FORM
check_result() {
    local result ending
    result=$(sed -n 's/^\[Result "\(.*\)"\]/\1/p' "$folder/$1.pgn" 2>/dev/null)
    ending=$(sed -n 's/.*>first *: result //p' "$folder/$1.debug" 2>/dev/null | tail -1)
    case $result in 1-0 | 0-1 | 1/2-1/2) ;; *) fail "$1: no result" ;; esac
    grep -qiE 'illegal|forfeit|exited|terminat|time' <<<"$ending" && fail "$1: ended by '$ending'"
    grep -iE 'illegal move|tellusererror' "$folder/$1.debug" >&2 && fail "$1: XBoard saw an error"
    local moves
    moves=$(count_moves "$1")
    [ "$moves" -ge "$MIN_BESTMOVES" ] || fail "$1: only $moves moves"
    echo "$1: $moves moves, $ending"
}

# check_processes FORM: nothing of ours outlives the game.
check_processes() {
    for _ in $(seq 20); do
        pgrep -f "$folder/$1-" >/dev/null || return
        sleep 0.1
    done
    fail "$1: left running: $(pgrep -af "$folder/$1-")"
}

# play FORM [FLAG]
play() {
    rm -f "$folder/$1".*
    write_wrapper "$1"
    start_game "$@"
    take_screenshot "$1"
    wait "$xboard" || fail "$1: XBoard ended with exit code $?, see $folder/$1.out"
    xboard=
    check_result "$1"
    check_lines "$1"
    check_processes "$1"
}

start_screen
play ucci -x
play uci
play cyclone -c
[ "$failures" -eq 0 ] || die "$failures checks failed; logs in $folder" 1
echo "passed; logs, games and screenshots in $folder"
