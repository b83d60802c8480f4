"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const NS = "http://www.w3.org/2000/svg";
  const svg = (name, attributes) => {
    const node = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  };
  const element = (name, text, className) => {
    const node = document.createElement(name);
    if (text !== undefined) node.textContent = text;
    if (className) node.className = className;
    return node;
  };

  const WORDS = {
    en: {
      red: "Red", black: "Black", accuracy: "Accuracy", moves: "Moves", inaccuracy: "inaccuracy", mistake: "mistake",
      blunder: "blunder", inaccuracies: "Inaccuracies", mistakes: "Mistakes", blunders: "Blunders", loss: "Mean loss",
      start: "Start", best: "best", loses: (p) => `chances −${p} %`, better: "Better line", close: "Back to game",
      line: (value) => `Better line, ${value}:`, played: (value) => `Played, ${value}:`, comma: ", ", turning: "turning point", flip: "Turn the board", language: "中文",
      style: { chinese: "Symbols: 帅", traditional: "Symbols: 帥", western: "Symbols: ♚" },
      notation: { chinese: "Moves: 炮二平五", wxf: "Moves: C2=5", iccs: "Moves: h2e2" },
      keys: "The right half of the board steps forward, the left half back; the curve leads to its move. "
        + "Keys: ← → step, ↑ ↓ mistakes, Home End, b better line, f turn, s symbols, n notation, l language",
      expects: (p) => `Red's chances ${p} %`, mate: (n) => `mate in ${n}`, mated: "mate", good: "best move",
      rule: (side) => `${side} wins by the rules`, ahead: (text) => `Where this leads: ${text}`, ruling: (r) => r.text,
      depth: (n) => `depth ${n}`, nodes: (n) => `${n} nodes`, time: (s) => `${s} s`,
      graph: "Red's chances after each move", none: "No mistakes.",
      made: (o) => `Chuhe ${byId("made").dataset.version}: ${limits(o)}; rules ${o.rules}. Chances are those of a win and half those of a draw. A move that loses 5 % is an inaccuracy, 10 % a mistake, 15 % a blunder.`,
    },
    zh: {
      red: "红方", black: "黑方", accuracy: "准确率", moves: "着数", inaccuracy: "软着", mistake: "失误",
      blunder: "漏着", inaccuracies: "软着", mistakes: "失误", blunders: "漏着", loss: "平均损失",
      start: "开局", best: "最佳", loses: (p) => `期望值 −${p} %`, better: "更好的着法", close: "返回对局",
      line: (value) => `更好的着法，${value}：`, played: (value) => `实战，${value}：`, comma: "，", turning: "转折点", flip: "翻转棋盘", language: "English",
      style: { chinese: "棋子：帅", traditional: "棋子：帥", western: "棋子：♚" },
      notation: { chinese: "记谱：炮二平五", wxf: "记谱：C2=5", iccs: "记谱：h2e2" },
      keys: "点棋盘右半前进，左半后退；点曲线跳到该着。按键：← → 前后，↑ ↓ 失误，Home End 首尾，b 更好的着法，f 翻转，s 棋子，n 记谱，l 语言",
      expects: (p) => `红方期望 ${p} %`, mate: (n) => `${n} 步杀`, mated: "绝杀", good: "最佳着法",
      rule: (side) => `${side}依规则胜`, ahead: (text) => `后续：${text}`, ruling: (r) => r.text_chinese,
      depth: (n) => `深度 ${n}`, nodes: (n) => `${n} 节点`, time: (s) => `${s} 秒`,
      graph: "每着之后红方的期望值", none: "没有失误。",
      made: (o) => `楚河 ${byId("made").dataset.version}：${limits(o)}；规则 ${o.rules}。评级依据该着使己方期望值（胜＋半个和）下降的幅度：5 % 软着，10 % 失误，15 % 漏着。`,
    },
  };
  const limits = (o) => [o.depth && word("depth")(o.depth), o.nodes && word("nodes")(o.nodes),
    o.movetime_ms && word("time")(o.movetime_ms / 1000)].filter(Boolean).join(word("comma"));
  const MARKS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
  const STYLES = ["chinese", "traditional", "western"];
  const NOTATIONS = ["chinese", "wxf", "iccs"];
  const USUAL = { en: "wxf", zh: "chinese" };
  // Beyond any evaluation: a win by rule.
  const RULE_WIN = 15000;
  // Moves that are shown of the answer to a mistake.
  const REPLY = 7;
  // How near to the dot of a mistake a click on the curve has to be, in pixels.
  const NEAR = 14;
  const COLOURS = { inaccuracy: "#f2b705", mistake: "#ff7a1a", blunder: "#ff3b30" };
  const [WIDTH, HEIGHT, PAD] = [640, 150, 11];
  const { cell, margin, piece } = data.board;

  const state = { game: null, ply: 0, line: null, flipped: false, style: "chinese",
    language: (navigator.language || "en").startsWith("zh") ? "zh" : "en" };
  state.notation = USUAL[state.language];
  const word = (key) => WORDS[state.language][key];

  // The board of a FEN: squares such as "e0" to letters.
  const parse = (fen) => {
    const men = new Map();
    fen.split(" ")[0].split("/").forEach((row, i) => {
      let file = 0;
      for (const c of row) {
        if (c >= "1" && c <= "9") file += Number(c);
        else men.set("abcdefghi"[file++] + (9 - i), c);
      }
    });
    return men;
  };
  const play = (men, move) => {
    men.set(move.slice(2), men.get(move.slice(0, 2)));
    men.delete(move.slice(0, 2));
  };
  const point = (square) => {
    let [file, rank] = [square.charCodeAt(0) - 97, Number(square[1])];
    if (state.flipped) [file, rank] = [8 - file, 9 - rank];
    return [margin + cell * file, margin + cell * (9 - rank)];
  };
  const glyph = (character, x, y, size, fill) => svg("use", { href: "#g" + character.codePointAt(0).toString(16),
    transform: `translate(${x} ${y}) scale(${size / 1000})`, fill });

  // What stands on the board now, with the move that led to it.
  const scene = () => {
    const { game, ply, line } = state;
    const men = parse(game.positions[line ? line.at : ply].fen);
    let last = !line && ply > 0 ? game.moves[ply - 1].move : line && line.at > 0 ? game.moves[line.at - 1].move : null;
    if (line) {
      for (const move of line.moves.slice(0, line.step)) {
        play(men, move);
        last = move;
      }
    }
    return { men, last };
  };
  const arrow = (move, fill) => {
    const [[x, y], [tx, ty]] = [point(move.slice(0, 2)), point(move.slice(2))];
    const [length, angle] = [Math.hypot(tx - x, ty - y), (Math.atan2(ty - y, tx - x) * 180) / Math.PI];
    return svg("path", { fill, "fill-opacity": 0.72, transform: `translate(${x} ${y}) rotate(${angle})`,
      d: `M10 -4H${length - 20}V-12L${length} 0L${length - 20} 12V4H10Z`, "data-move": move });
  };
  const drawRim = () => {
    const nodes = [];
    for (let file = 0; file < 9; file++) {
      const letter = "abcdefghi"[file];
      const [x] = point(letter + "0");
      const iccs = state.notation === "iccs";
      const [below, above] = state.flipped ? ["black", "red"] : ["red", "black"];
      const numeral = (side) => side === "black" ? String(file + 1)
        : state.notation === "wxf" ? String(9 - file) : "九八七六五四三二一"[file];
      nodes.push(glyph(iccs ? letter : numeral(below), x, data.board.height - 11, 13, "#5c3d1e"));
      if (!iccs) nodes.push(glyph(numeral(above), x, 11, 13, "#5c3d1e"));
    }
    for (let rank = 0; rank < 10 && state.notation === "iccs"; rank++) {
      nodes.push(glyph(String(rank), 11, point("a" + rank)[1], 13, "#5c3d1e"));
    }
    const river = data.symbols[state.style].river;
    [1.5, 2.7, 5.3, 6.5].forEach((x, i) => {
      if (river[i]) nodes.push(glyph(river[i], margin + x * cell, data.board.height / 2, 27, "#5c3d1e"));
    });
    byId("rim").replaceChildren(...nodes);
  };
  const drawMen = ({ men, last }) => {
    byId("men").replaceChildren(...[...men].map(([square, letter]) => {
      const [x, y] = point(square);
      const ink = letter < "a" ? "#b3201a" : "#1c1c1c";
      const node = svg("g", { "data-square": square, "data-letter": letter });
      node.append(svg("circle", { cx: x, cy: y, r: piece, fill: "#fdf4de", stroke: "#7a5327", "stroke-width": 1.6 }),
        svg("circle", { cx: x, cy: y, r: piece - 3, fill: "none", stroke: ink, "stroke-width": 0.9 }),
        glyph(data.symbols[state.style][letter], x, y, state.style === "western" ? 34 : 29, ink));
      return node;
    }));
    byId("corners").replaceChildren(...(last ? [last.slice(0, 2), last.slice(2)] : []).map((square) => {
      const [x, y] = point(square);
      return svg("path", { transform: `translate(${x} ${y})`, fill: "none", stroke: "#1d6fd8", "stroke-width": 3,
        d: "M-24 -14V-24H-14M14 -24H24V-14M24 14V24H14M-14 24H-24V14" });
    }));
  };
  const drawArrows = () => {
    const { game, ply, line } = state;
    const arrows = [];
    if (line) {
      if (line.step < line.moves.length) arrows.push(arrow(line.moves[line.step], "#15803d"));
      if (line.step === 0 && game.moves[line.at]) arrows.push(arrow(game.moves[line.at].move, "#c81e1e"));
    } else if (ply > 0 && isMarked(game.moves[ply - 1])) {
      const best = game.positions[ply - 1].pv.iccs[0];
      if (best) arrows.push(arrow(best, "#15803d"));
    }
    byId("arrows").replaceChildren(...arrows);
  };

  const percent = (part) => (part * 100).toFixed(0);
  // A score as Red sees it.
  const value = (position) => {
    const sign = position.side === "red" ? 1 : -1;
    const { cp, mate } = position.score;
    if (mate === 0) return word("mated");
    if (mate !== null) return `${word(mate * sign > 0 ? "red" : "black")}: ${word("mate")(Math.abs(mate))}`;
    if (Math.abs(cp) > RULE_WIN) return word("rule")(word(cp * sign > 0 ? "red" : "black"));
    const pawns = (cp * sign) / 100;
    return (pawns < 0 ? "−" : "+") + Math.abs(pawns).toFixed(2);
  };
  const moveText = (i) => state.game.moves[i].texts[state.notation];
  const number = (i) => {
    const first = state.game.positions[0].side === "black" ? 1 : 0;
    const fullmove = Number(state.game.start_fen.split(" ")[5] || 1);
    return fullmove + Math.floor((i + first) / 2);
  };
  const label = (i) => `${number(i)}${state.game.moves[i].side === "red" ? "." : "…"} ${moveText(i)}`;
  const verdict = (move) => [move.grade && word(move.grade), move.turning_point && word("turning"),
    word("loses")(percent(move.loss))].filter(Boolean).join(word("comma"));
  const isMarked = (move) => Boolean(move.grade || move.turning_point);

  const describe = () => {
    const { game, ply, line } = state;
    const position = game.positions[line ? line.at : ply];
    const now = byId("now");
    now.replaceChildren();
    if (ply === 0) now.append(element("b", word("start")));
    else {
      const move = game.moves[ply - 1];
      now.append(element("b", label(ply - 1)), " ");
      if (isMarked(move)) {
        now.append(element("b", MARKS[move.grade] || "", move.grade || ""), " ",
          element("span", verdict(move), move.grade || "turning"));
      }
      else if (move.move === game.positions[ply - 1].pv.iccs[0]) now.append(element("span", word("good")));
    }
    const shown = game.positions[ply];
    now.append(document.createElement("br"), `${value(shown)} · ${word("expects")(percent(shown.red))}`);
    if (shown.pv.iccs.length && !line) now.append(` · ${word("best")} ${shown.pv[state.notation][0]}`);
    const events = game.events.filter((event) => event.ply === ply).map(word("ruling"));
    const notes = [ply > 0 && game.moves[ply - 1].comment, ...events, !events.length && ahead(shown)].filter(Boolean);
    byId("note").hidden = notes.length === 0 || Boolean(line && line.step);
    byId("note").textContent = notes.join("\n");
    byId("line").hidden = !line;
    if (line) {
      byId("line-title").replaceChildren(element("span", "➜", "best"), ` ${word("line")(value(position))}`);
      const reply = shown.pv[state.notation].slice(0, REPLY);
      byId("line-played").replaceChildren(element("span", "➜", "blunder"), ` ${word("played")(value(shown))} `,
        ...[moveText(ply - 1), ...reply].map((text) => element("span", text, "move")));
      const texts = position.pv[state.notation];
      byId("line-moves").replaceChildren(...texts.map((text, i) => {
        const button = element("button", text, i + 1 === line.step ? "now" : "");
        button.addEventListener("click", () => step(i + 1));
        return button;
      }));
      if (position.ends && line.step === line.moves.length) {
        byId("note").hidden = false;
        byId("note").textContent = word("ruling")(position.ends);
      }
    }
    const better = byId("better");
    better.textContent = word(line ? "close" : "better");
    better.classList.toggle("on", Boolean(line));
    better.disabled = !line && !lineFor(ply);
    byId("first").disabled = byId("back").disabled = !line && ply === 0;
    byId("last").disabled = byId("forward").disabled = !line && ply === game.moves.length;
    byId("moves").querySelectorAll("button").forEach((b) => b.classList.toggle("now", Number(b.dataset.ply) === ply));
    const current = byId("moves").querySelector(".now");
    const box = byId("moves");
    if (current) box.scrollTop = current.offsetTop - box.clientHeight / 2;
    else box.scrollTop = 0;
    byId("cursor")?.setAttribute("d", `M${graphX(ply)} 0V${HEIGHT}`);
  };
  // A breach of the rules that the best line ends with; mates are told by the value.
  const ahead = ({ ends }) => (ends && ["repetition", "streak"].includes(ends.ground) && ends.result !== "draw"
    ? word("ahead")(word("ruling")(ends)) : null);
  // The better line to the move before a position: where it starts.
  const lineFor = (ply) => {
    const move = state.game.moves[ply - 1];
    const moves = ply > 0 ? state.game.positions[ply - 1].pv.iccs : [];
    return moves.length && moves[0] !== move.move ? { at: ply - 1, moves, step: 0 } : null;
  };
  const draw = () => {
    drawRim();
    drawMen(scene());
    drawArrows();
    describe();
  };
  const show = (ply) => {
    state.line = null;
    state.ply = Math.max(0, Math.min(ply, state.game.moves.length));
    draw();
  };
  const step = (to) => {
    const { line } = state;
    if (!line) return;
    line.step = Math.max(0, Math.min(to, line.moves.length));
    draw();
  };
  const better = () => {
    state.line = state.line ? null : lineFor(state.ply);
    draw();
  };
  const showLine = (ply) => {
    show(ply);
    better();
  };

  // ---- The graph ----
  const graphX = (ply) => PAD + ((WIDTH - 2 * PAD) * ply) / Math.max(1, state.game.moves.length);
  const graphY = (red) => PAD + (HEIGHT - 2 * PAD) * (1 - red);
  const text = (content, x, y, fill) => {
    const node = svg("text", { x, y, fill, "dominant-baseline": y < HEIGHT / 2 ? "hanging" : "auto" });
    node.textContent = content;
    return node;
  };
  const drawGraph = () => {
    const { game } = state;
    const points = game.positions.map((p, i) => `${graphX(i).toFixed(1)} ${graphY(p.red).toFixed(1)}`);
    const end = graphX(game.positions.length - 1);
    const nodes = [
      svg("path", { d: `M${PAD} ${HEIGHT}L${points.join("L")}L${end} ${HEIGHT}Z`, fill: "#e9b8a6" }),
      svg("path", { d: `M0 ${HEIGHT / 2}H${WIDTH}`, stroke: "#8d857a", "stroke-dasharray": "4 4" }),
      svg("path", { d: `M${points.join("L")}`, fill: "none", stroke: "#b3201a", "stroke-width": 2 }),
      text(word("black"), PAD + 4, 6, "#d8d0c4"),
      text(word("red"), PAD + 4, HEIGHT - 8, "#7a1712"),
      svg("path", { id: "cursor", stroke: "#4aa3ff", "stroke-width": 2.5 }),
    ];
    game.moves.forEach((move, i) => {
      if (!move.grade) return;
      const dot = svg("circle", { cx: graphX(i + 1), cy: graphY(game.positions[i + 1].red), r: 5.5, fill: COLOURS[move.grade],
        stroke: "#fff", "stroke-width": 1.2, "data-ply": i + 1 });
      const title = svg("title", {});
      title.textContent = `${label(i)} ${MARKS[move.grade]} ${verdict(move)}`;
      dot.append(title);
      dot.addEventListener("click", (event) => {
        event.stopPropagation();
        showLine(i + 1);
      });
      nodes.push(dot);
    });
    byId("graph").replaceChildren(...nodes);
    byId("graph").setAttribute("aria-label", word("graph"));
  };
  byId("graph").addEventListener("click", (event) => {
    const box = byId("graph").getBoundingClientRect();
    const scale = box.width / WIDTH;
    const [x, y] = [(event.clientX - box.left) / scale, (event.clientY - box.top) / scale];
    const distance = (ply) => Math.hypot(graphX(ply) - x, graphY(state.game.positions[ply].red) - y) * scale;
    const graded = state.game.moves.filter((move) => move.grade).map((move) => move.ply);
    const [nearest] = graded.sort((a, b) => distance(a) - distance(b));
    if (nearest && distance(nearest) <= NEAR) showLine(nearest);
    else show(Math.round(((x - PAD) / (WIDTH - 2 * PAD)) * state.game.moves.length));
  });

  // ---- Lists ----
  const drawSummary = () => {
    const { red, black } = state.game.sides;
    const row = (name, cell, className) => {
      const tr = element("tr");
      tr.append(element("th", name), element("td", cell(red), className), element("td", cell(black), className));
      return tr;
    };
    const head = element("thead");
    const names = element("tr");
    names.append(element("th", ""), element("th", word("red"), "red"), element("th", word("black")));
    head.append(names);
    const body = element("tbody");
    const accuracy = (side) => (side.accuracy === null ? "–" : `${side.accuracy.toFixed(1)} %`);
    body.append(row(word("accuracy"), accuracy, "large"), row(word("loss"), (s) => `${(s.mean_loss * 100).toFixed(1)} %`),
      row(word("inaccuracies"), (s) => s.inaccuracies), row(word("mistakes"), (s) => s.mistakes),
      row(word("blunders"), (s) => s.blunders));
    byId("summary").replaceChildren(head, body);
  };
  const moveButton = (i) => {
    const move = state.game.moves[i];
    const button = element("button", moveText(i) + (move.grade ? ` ${MARKS[move.grade]}` : ""), move.grade || "");
    button.dataset.ply = i + 1;
    button.addEventListener("click", () => (move.grade ? showLine(i + 1) : show(i + 1)));
    return button;
  };
  const drawMoves = () => {
    const { game } = state;
    const nodes = [];
    game.moves.forEach((move, i) => {
      if (move.side === "red" || i === 0) nodes.push(element("span", `${number(i)}.`));
      if (move.side === "black" && i === 0) nodes.push(element("span", "…"));
      nodes.push(moveButton(i));
    });
    byId("moves").replaceChildren(...nodes);
  };
  const drawPoints = () => {
    const { game } = state;
    const items = [];
    game.moves.forEach((move, i) => {
      if (!isMarked(move)) return;
      const button = element("button", `${label(i)} ${MARKS[move.grade] || ""} `);
      button.append(element("span", verdict(move), move.grade || "turning"));
      button.addEventListener("click", () => showLine(i + 1));
      items.push(button);
    });
    for (const event of game.events) {
      const button = element("button", `${event.ply ? label(event.ply - 1) : word("start")}${word("comma")}${word("ruling")(event)}`);
      button.addEventListener("click", () => show(event.ply));
      items.push(button);
    }
    const list = items.map((button) => {
      const item = element("li");
      item.append(button);
      return item;
    });
    byId("points").replaceChildren(...(list.length ? list : [element("li", word("none"))]));
  };
  const drawHead = () => {
    const { tags, opening, result } = state.game;
    byId("red").textContent = tags.Red || word("red");
    byId("black").textContent = tags.Black || word("black");
    const name = opening && (state.language === "zh" ? opening.chinese : `${opening.english} (${opening.chinese})`);
    const about = [tags.Event, tags.Site, tags.Date, tags.Round && `(${tags.Round})`, result !== "*" && result, name];
    byId("about").textContent = about.filter(Boolean).join(" · ");
  };
  const redraw = () => {
    document.documentElement.lang = state.language;
    byId("flip").textContent = word("flip");
    byId("symbols").textContent = word("style")[state.style];
    byId("notation").textContent = word("notation")[state.notation];
    byId("language").textContent = word("language");
    byId("keys").textContent = word("keys");
    byId("made").textContent = word("made")(state.game.order);
    drawHead();
    drawSummary();
    drawMoves();
    drawPoints();
    drawGraph();
    draw();
  };
  const open = (index) => {
    state.game = data.games[index];
    [state.ply, state.line] = [0, null];
    redraw();
  };

  // ---- Keys and buttons ----
  const after = (list, value) => list[(list.indexOf(value) + 1) % list.length];
  const mistake = (direction) => {
    const { game, ply } = state;
    for (let i = ply + direction; i > 0 && i <= game.moves.length; i += direction) {
      if (game.moves[i - 1].grade) return showLine(i);
    }
  };
  const set = (changes) => {
    Object.assign(state, changes);
    redraw();
  };
  const actions = {
    first: () => (state.line ? step(0) : show(0)),
    back: () => (state.line ? step(state.line.step - 1) : show(state.ply - 1)),
    forward: () => (state.line ? step(state.line.step + 1) : show(state.ply + 1)),
    last: () => (state.line ? step(Infinity) : show(Infinity)),
    better,
    flip: () => set({ flipped: !state.flipped }),
    symbols: () => set({ style: after(STYLES, state.style) }),
    notation: () => set({ notation: after(NOTATIONS, state.notation) }),
    language: () => {
      const language = state.language === "en" ? "zh" : "en";
      set({ language, notation: state.notation === "iccs" ? "iccs" : USUAL[language] });
    },
    close: () => show(state.ply),
    up: () => mistake(-1),
    down: () => mistake(1),
  };
  const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", ArrowUp: "up", ArrowDown: "down",
    b: "better", f: "flip", s: "symbols", n: "notation", l: "language", Escape: "close" };
  for (const id of ["first", "back", "forward", "last", "better", "flip", "symbols", "notation", "language"]) {
    byId(id).addEventListener("click", actions[id]);
  }
  document.addEventListener("keydown", (event) => {
    const action = KEYS[event.key];
    if (!action || event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    event.preventDefault();
    actions[action]();
  });
  byId("board").addEventListener("click", (event) => {
    const box = byId("board").getBoundingClientRect();
    actions[event.clientX < box.left + box.width / 2 ? "back" : "forward"]();
  });

  data.games.forEach((game, i) => {
    const name = `${i + 1}. ${game.tags.Red || "?"} – ${game.tags.Black || "?"} ${game.result}`;
    byId("games").append(element("option", name));
  });
  byId("chooser").hidden = data.games.length < 2;
  byId("games").addEventListener("change", (event) => open(event.target.selectedIndex));
  if (data.games.length) open(0);
  // An address may end in a ply and keys to press there: #31b.
  const [, ply, keys] = location.hash.match(/^#(\d+)([a-z]*)$/) || [];
  if (ply && state.game) {
    show(Number(ply));
    for (const name of keys) if (KEYS[name]) actions[KEYS[name]]();
  }
})();
