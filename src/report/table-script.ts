/**
 * Sorts, searches and pages the table of documents. It reads rows from the JSON of the page and writes text only as text,
 * never as HTML. Only one page of rows is in the document at a time, so 20,000 of them cost no more than 50.
 */
export const tableScript = String.raw`(() => {
'use strict';
const data = JSON.parse(document.getElementById('rows').textContent);
const { words, rows, parties } = data;
const PAGE = 50;
const find = (id) => document.getElementById(id);
const [body, status, search, show] = ['documents-body', 'documents-status', 'documents-search', 'documents-show'].map(find);
const [back, next] = ['documents-back', 'documents-next'].map(find);
const heads = [...document.querySelectorAll('#documents th[data-column]')];
const group = (digits) => digits.replace(/\B(?=(\d{3})+(?!\d))/g, words.thousands);
const money = (text) => {
  const [, sign, whole, cents = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  return sign + group(whole) + words.decimal + cents.padEnd(2, '0');
};
const day = (text) => (words.dayFirst ? text.split('-').reverse().join('/') : text);
const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const taxNumber = (text) => text.replace(/^(.{2})(.{3})(.{3})(.{4})(.{2})$/, '$1.$2.$3/$4-$5');
// Of a row: key, type, supplier or customer, day, amount, state, file, manifestation, last day, state of the term.
const partyOf = (row) => parties[row[2]];
const nameOf = (row) => partyOf(row)[1] || taxNumber(partyOf(row)[0]) || words.unknown;
const texts = {
  day: (row) => (row[3] ? day(row[3]) : words.unknown),
  type: (row) => words.types[row[1]],
  party: nameOf,
  amount: (row) => (row[4] === 0 ? words.unknown : money(row[4])),
  state: (row) => words.states[row[5]],
  file: (row) => words.files[row[6]],
  manifestation: (row) => words.manifestations[row[7]],
  term: (row) => (row[8] ? day(row[8]) + (row[9] ? ' ' + words.terms[row[9]] : '') : '–'),
};
const sortable = {
  ...texts,
  day: (row) => row[3] || '',
  amount: (row) => (row[4] === 0 ? -Infinity : Number(row[4])),
  party: (row) => plain(nameOf(row)),
  term: (row) => row[8] || '9999',
};
const filters = {
  all: () => true,
  fallen: (row) => row[5] !== 0,
  missing: (row) => row[6] % 3 !== 0,
  unproven: (row) => row[6] < 3,
  term: (row) => row[8] !== 0,
  noAmount: (row) => row[4] === 0,
};
const haystack = (row) => plain([row[0], partyOf(row)[0], taxNumber(partyOf(row)[0]), row[4] || '',
  ...Object.values(texts).map((text) => text(row))].join(' '));
let haystacks;
const state = { column: 'day', descending: true, page: 0, found: rows };
const cell = (tag, text, name) => {
  const element = document.createElement(tag);
  element.textContent = text;
  if (name) element.className = name;
  return element;
};
const nameOfClass = (column, row) => {
  if (column === 'amount') return row[4] === 0 ? 'number dim' : 'number';
  return column === 'day' ? 'number' : '';
};
const draw = () => {
  const from = state.page * PAGE;
  const shown = state.found.slice(from, from + PAGE);
  body.replaceChildren(...shown.map((row) => {
    const line = document.createElement('tr');
    line.append(...heads.map((head) => {
      const { column } = head.dataset;
      if (column !== 'party') return cell('td', texts[column](row), nameOfClass(column, row));
      const party = cell('th', texts.party(row));
      party.scope = 'row';
      party.append(cell('div', row[0], 'key dim'));
      return party;
    }));
    return line;
  }));
  const last = Math.min(from + PAGE, state.found.length);
  const fill = { from: last === 0 ? 0 : from + 1, to: last, found: state.found.length, all: rows.length };
  status.textContent = words.status.replace(/\{(\w+)\}/g, (_, name) => group(String(fill[name])));
  back.disabled = state.page === 0;
  next.disabled = last >= state.found.length;
  for (const head of heads) {
    const order = state.descending ? 'descending' : 'ascending';
    head.setAttribute('aria-sort', head.dataset.column === state.column ? order : 'none');
  }
};
const apply = () => {
  const terms = plain(search.value).split(/\s+/).filter(Boolean);
  if (terms.length > 0) haystacks ??= rows.map(haystack);
  const fits = filters[show.value];
  const keys = new Map();
  const valueOf = sortable[state.column];
  const found = [];
  rows.forEach((row, index) => {
    if (!fits(row) || !terms.every((term) => haystacks[index].includes(term))) return;
    keys.set(row, valueOf(row));
    found.push(row);
  });
  const sign = state.descending ? -1 : 1;
  found.sort((a, b) => {
    const [one, other] = [keys.get(a), keys.get(b)];
    return one < other ? -sign : one > other ? sign : 0;
  });
  Object.assign(state, { found, page: 0 });
  draw();
};
for (const head of heads)
  head.querySelector('button').addEventListener('click', () => {
    const { column } = head.dataset;
    state.descending = state.column === column ? !state.descending : column === 'amount' || column === 'day';
    state.column = column;
    apply();
  });
search.addEventListener('input', apply);
show.addEventListener('change', apply);
const turn = (pages) => () => { state.page += pages; draw(); };
back.addEventListener('click', turn(-1));
next.addEventListener('click', turn(1));
find('documents').hidden = false;
find('documents-without-script').hidden = true;
apply();
document.documentElement.dataset.ready = 'true';
})();`;
