"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const layer = document.querySelector("#viewer .pieces");
  const svg = (name, attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  };
  let game = null;
  let ply = 0;

  // The board of a FEN: square names such as "e0" to piece letters.
  const parse = (fen) => {
    const board = new Map();
    fen.split(" ")[0].split("/").forEach((row, i) => {
      let file = 0;
      for (const c of row) {
        if (c >= "1" && c <= "9") file += Number(c);
        else board.set("abcdefghi"[file++] + (9 - i), c);
      }
    });
    return board;
  };
  const boardAt = (count) => {
    const board = parse(game.fen);
    for (const move of game.list.slice(0, count)) {
      board.set(move.slice(2), board.get(move.slice(0, 2)));
      board.delete(move.slice(0, 2));
    }
    return board;
  };
  const point = (square) => [
    data.margin + data.cell * (square.charCodeAt(0) - 97),
    data.margin + data.cell * (9 - Number(square[1])),
  ];
  const score = (cp) => {
    if (cp === null || cp === undefined) return "?";
    const sign = cp < 0 ? "-" : "+";
    const plies = 30000 - Math.abs(cp);
    return sign + (plies <= 1000 ? "M" + plies : (Math.abs(cp) / 100).toFixed(2));
  };
  const note = (i) => {
    const n = i - game.book;
    if (n < 0) return "book";
    const ms = game.ms[n];
    return `${score(game.score[n])}/${game.depth[n] ?? "?"} ${(ms / 1000).toFixed(3)} s`;
  };
  const show = (to) => {
    ply = Math.max(0, Math.min(to, game.list.length));
    layer.replaceChildren();
    const last = ply > 0 ? game.list[ply - 1] : "";
    for (const square of last ? [last.slice(0, 2), last.slice(2)] : []) {
      const [cx, cy] = point(square);
      layer.append(svg("circle", { class: "mark", cx, cy, r: data.piece + 3 }));
    }
    for (const [square, letter] of boardAt(ply)) {
      const [x, y] = point(square);
      const side = letter < "a" ? "red" : "black";
      const piece = svg("g", { class: side, transform: `translate(${x} ${y})`, "data-square": square });
      const text = svg("text", {});
      text.textContent = data.characters[letter];
      piece.append(svg("circle", { r: data.piece }), text);
      layer.append(piece);
    }
    const over = ply === game.list.length;
    byId("status").textContent = over
      ? `${game.result} ${game.reason} ${game.detail}`
      : ply > 0 ? `${ply}. ${last} ${note(ply - 1)}` : "start";
    byId("moves").querySelectorAll("button").forEach((b, i) => b.classList.toggle("now", i + 1 === ply));
    byId("moves").querySelector(".now")?.scrollIntoView({ block: "nearest" });
  };
  const open = (number) => {
    game = data.games[number];
    game.list = game.moves.split(" ").filter((word) => word);
    byId("moves").replaceChildren(...game.list.map((move, i) => {
      const button = document.createElement("button");
      button.textContent = move;
      button.title = note(i);
      button.addEventListener("click", () => show(i + 1));
      return button;
    }));
    show(0);
  };

  data.games.forEach((g, i) => {
    const option = document.createElement("option");
    option.textContent = `${i + 1}. ${g.red} - ${g.black} ${g.result} ${g.reason}`;
    byId("list").append(option);
  });
  byId("list").addEventListener("change", (event) => open(event.target.selectedIndex));
  const steps = { first: () => 0, back: () => ply - 1, forward: () => ply + 1, last: () => Infinity };
  for (const [id, target] of Object.entries(steps)) {
    byId(id).addEventListener("click", () => game && show(target()));
  }
  document.addEventListener("keydown", (event) => {
    if (!game || event.target.tagName === "SELECT") return;
    if (event.key === "ArrowLeft") show(ply - 1);
    if (event.key === "ArrowRight") show(ply + 1);
  });
  if (data.games.length) {
    byId("list").selectedIndex = 0;
    open(0);
  }
})();
