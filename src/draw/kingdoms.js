"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);
const letters = data.seats.map((seat) => seat.letter);
let game = data.games[0];
let ply = 0;
let chinese = true;

function make(parent, name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  parent.appendChild(element);
  return element;
}

function cell(parent, name, text, className) {
  const element = document.createElement(name);
  element.textContent = text;
  if (className) element.className = className;
  parent.appendChild(element);
  return element;
}

// The fields of a position line.
function parse(line) {
  const [board, turn, command, , captures, conquests] = line.split(" ");
  const men = [];
  board.split("/").forEach((row, i) => {
    let file = 0;
    for (const part of row.match(/\d+|[a-z][A-Z]/g)) {
      if (/\d/.test(part)) file += Number(part);
      else men.push({ colour: part[0], kind: part[1], file: file++, rank: data.side - i });
    }
  });
  const taken = {};
  const lost = {};
  if (captures !== "-") {
    for (const item of captures.split(",")) {
      taken[item[0]] = (taken[item[0]] || 0) + Number(item.slice(2));
      lost[item[1]] = (lost[item[1]] || 0) + Number(item.slice(2));
    }
  }
  return { men, turn, command, conquests, taken, lost };
}

const x = (file) => data.margin + data.cell * file;
const y = (rank) => data.margin + data.cell * (data.side - rank);

function mark(parent, square) {
  const half = data.cell / 2 - 1;
  const file = square.charCodeAt(0) - 97;
  make(parent, "rect", {
    class: "mark", x: x(file) - half, y: y(Number(square.slice(1))) - half,
    width: 2 * half, height: 2 * half,
  });
}

// Text around a point as outlines.
function ink(parent, text, size) {
  const scale = size / data.units;
  [...text].forEach((c, i) => {
    const left = (i - (text.length - 1) / 2) * size;
    make(parent, "path", { class: "ink", transform: `translate(${left} 0) scale(${scale})`, d: data.outlines[c] });
  });
}

function drawMan(parent, man, command) {
  const group = make(parent, "g", { class: man.colour, transform: `translate(${x(man.file)} ${y(man.rank)})` });
  const index = letters.indexOf(man.colour);
  const commander = index < 0 ? man.colour : command[index];
  const conquered = commander !== man.colour;
  if (conquered) make(group, "circle", { class: `ring of-${commander}`, r: data.ring });
  make(group, "circle", { r: data.piece });
  const text = chinese ? data.symbols[man.kind] : man.kind;
  ink(group, text, data.ink[text.length > 1 ? 1 : 0]);
  if (conquered) {
    const badge = make(group, "g", { class: `badge of-${commander}`, transform: `translate(${data.badge[0]} ${data.badge[1]})` });
    make(badge, "circle", { r: 6.5 });
    ink(badge, commander, data.badgeInk);
  }
}

function drawTable(position) {
  const table = byId("kingdoms");
  table.textContent = "";
  const head = table.insertRow();
  for (const title of ["Kingdom", "Player", "taken", "lost", "conquests", ""]) cell(head, "th", title);
  data.seats.forEach((seat, i) => {
    const row = table.insertRow();
    const commander = position.command[i];
    row.className = position.turn === seat.letter ? "turn" : commander === seat.letter ? "" : "fallen";
    const name = row.insertCell();
    cell(name, "span", "", "swatch").style.background = data.colours[i];
    name.appendChild(document.createTextNode(seat.name));
    row.insertCell().textContent = game.players[i];
    for (const count of [position.taken, position.lost]) row.insertCell().textContent = count[seat.letter] || 0;
    row.insertCell().textContent = position.conquests[i];
    const lord = data.seats[letters.indexOf(commander)];
    row.insertCell().textContent = commander === seat.letter ? "" : lord ? `serves ${lord.name}` : "off the board";
  });
}

function show() {
  const position = parse(game.positions[ply]);
  const men = document.querySelector("svg.kingdoms .men");
  men.textContent = "";
  if (ply > 0) {
    const [from, to] = game.moves[ply - 1].match(/[a-s]\d+/g);
    mark(men, from);
    mark(men, to);
  }
  for (const man of position.men) drawMan(men, man, position.command);
  drawTable(position);
  const mover = ply > 0 ? `${data.seats[game.movers[ply - 1]].name} ${game.moves[ply - 1]}` : "Start";
  const comment = ply > 0 && game.comments[ply - 1] ? ` (${game.comments[ply - 1]})` : "";
  const end = ply === game.moves.length ? `. Result: ${game.result}${game.end ? `, ${game.end}` : ""}` : "";
  byId("status").textContent = `${ply}/${game.moves.length} ${mover}${comment}${end}`;
  document.querySelectorAll("#moves button").forEach((button, i) => {
    button.classList.toggle("now", i === ply - 1);
    if (i === ply - 1) {
      const list = byId("moves");
      list.scrollTop = button.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
  });
}

function go(to) {
  ply = Math.max(0, Math.min(game.moves.length, to));
  show();
}

function listMoves() {
  const list = byId("moves");
  list.textContent = "";
  let before = 99;
  let round = 0;
  game.moves.forEach((move, i) => {
    if (game.movers[i] <= before) {
      if (round > 0) list.appendChild(document.createElement("br"));
      cell(list, "b", `${++round}.`);
    }
    before = game.movers[i];
    const button = cell(list, "button", `${letters[game.movers[i]]}:${move}`);
    button.addEventListener("click", () => go(i + 1));
  });
}

function choose(index) {
  game = data.games[index];
  listMoves();
  go(0);
}

data.games.forEach((one, i) => {
  const title = `${one.title || `Game ${i + 1}`}: ${one.result}`;
  byId("list").add(new Option(title, i));
});
byId("list").hidden = data.games.length < 2;
byId("list").addEventListener("change", (event) => choose(Number(event.target.value)));
byId("first").addEventListener("click", () => go(0));
byId("back").addEventListener("click", () => go(ply - 1));
byId("forward").addEventListener("click", () => go(ply + 1));
byId("last").addEventListener("click", () => go(game.moves.length));
byId("style").addEventListener("click", (event) => {
  chinese = !chinese;
  event.target.textContent = chinese ? "Letters" : "Characters";
  show();
});
document.addEventListener("keydown", (event) => {
  const steps = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: game.moves.length };
  if (event.key in steps && event.target.tagName !== "SELECT") {
    event.preventDefault();
    go(steps[event.key]);
  }
});
if (game) choose(0);
