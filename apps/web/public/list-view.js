// One list as a table: filled, kept up to date in place, continued on demand.
import { get } from './api.js';
import { byId, h, replaceIn } from './dom.js';

const PAGE = 50;

export class ListView {
  /** `isSelected` says of a subject whether it is the one shown; `acts` are what a row's buttons do. */
  constructor(key, isSelected, acts) {
    this.acts = acts;
    this.key = key;
    this.isSelected = isSelected;
    this.panel = byId('list');
    this.seen = new Set();
    this.text = '';
  }

  /** Shows another list, from its beginning. */
  async show(list) {
    this.list = list;
    this.limit = PAGE;
    this.told = undefined;
    this.seen = new Set();
    this.text = '';
    this.table = h('div', { class: 'table' });
    const search = list.searches ? this.searchField() : null;
    replaceIn(this.panel, h('div', { class: 'list-head' }, h('h2', {}, list.title), search), this.table);
    await this.refresh();
  }

  /** Asks again and replaces the rows; `after` is a position that the answer must have. */
  async refresh(after = undefined) {
    const { list, limit, text } = this;
    const parameters = { ...list.parameters, limit, after, text: text === '' ? undefined : text };
    const { items, next } = await get(this.key, list.path, parameters);
    if (list !== this.list || limit !== this.limit || text !== this.text) return;
    const told = JSON.stringify([items, next]);
    if (told === this.told) return;
    this.told = told;
    const isFirst = this.seen.size === 0;
    const rows = items.map((item) => this.row(item, isFirst));
    for (const item of items) this.seen.add(list.key(item));
    this.replace(items.length === 0 ? this.emptiness() : this.filled(rows, next !== undefined));
  }

  /** Keeps the focus where it was: a row is the same as long as its key is. */
  replace(content) {
    const focused = this.table.contains(document.activeElement) ? document.activeElement : null;
    const focus = focused?.closest('[data-focus]')?.dataset.focus;
    replaceIn(this.table, content);
    this.mark();
    if (focus === undefined) return;
    const again = [...this.table.querySelectorAll('[data-focus]')].find((each) => each.dataset.focus === focus);
    again?.querySelector('a')?.focus({ preventScroll: true });
  }

  row(item, isFirst) {
    const key = this.list.key(item);
    const isNew = !isFirst && !this.seen.has(key);
    const cells = this.list.cells(item, this.acts);
    const row = h(
      'tr',
      { class: isNew ? 'new' : null, 'data-focus': key },
      cells.map((cell, index) => h('td', { 'data-label': this.list.columns[index] }, cell)),
    );
    row.subject = item.subject;
    return row;
  }

  /** Marks the rows of the subject that is shown beside the list. */
  mark() {
    for (const row of this.table.querySelectorAll('tbody tr')) {
      row.classList.toggle('selected', row.subject !== undefined && this.isSelected(row.subject));
    }
  }

  filled(rows, isMore) {
    const head = h(
      'tr',
      {},
      this.list.columns.map((column) => h('th', { scope: 'col' }, column)),
    );
    const more = h('button', { type: 'button', class: 'more', onclick: () => this.more() }, 'Show more');
    return h(
      'div',
      {},
      h('table', {}, h('caption', { class: 'unseen' }, this.list.title), h('thead', {}, head), h('tbody', {}, rows)),
      isMore ? more : null,
    );
  }

  emptiness() {
    if (this.text !== '') return h('p', { class: 'empty' }, `Nothing here has “${this.text}” in it.`);
    const [what, next] = this.list.empty;
    return h('div', { class: 'empty' }, h('p', { class: 'empty-what' }, what), h('p', {}, next));
  }

  async more() {
    this.limit = Math.min(this.limit * 2, 1_000);
    await this.refresh();
  }

  searchField() {
    const typed = (event) => {
      this.text = event.target.value.trim();
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.refresh().catch(reportError), 200);
    };
    return h('input', {
      type: 'search',
      class: 'search',
      placeholder: 'Search',
      'aria-label': 'Search this list',
      oninput: typed,
    });
  }
}

function reportError(error) {
  dispatchEvent(new CustomEvent('problem', { detail: error }));
}
