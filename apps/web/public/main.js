// Starts the page and keeps it up to date: what the ledger tells, the lists and the subject ask again for.
import { addressOf, readAddress } from './address.js';
import { get } from './api.js';
import { actsOf } from './quarantine.js';
import { byId, h, replaceIn } from './dom.js';
import { forgetKey, keepKey, takeKey } from './key.js';
import { lists } from './lists.js';
import { ListView } from './list-view.js';
import { follow } from './live.js';
import { SubjectView } from './subject-view.js';
import { keepDistances, localText } from './time.js';

const renewEveryMs = 1_000;

function start(key) {
  byId('key-form').hidden = true;
  byId('record').hidden = false;
  const stopping = new AbortController();
  const subjectView = new SubjectView(key);
  const isSelected = ({ type, id }) => subjectView.subject?.type === type && subjectView.subject?.id === id;
  const acts = actsOf(key, () => Promise.all([showOverview(key), listView.refresh()]));
  const listView = new ListView(key, isSelected, acts);
  const failed = (error) => {
    if (error.status === 401 || error.status === 403) {
      stopping.abort();
      forgetKey();
      askForKey(error.message);
    } else showStatus('lost', error.message);
  };
  addEventListener('problem', (event) => failed(event.detail), { signal: stopping.signal });

  let shown;
  const show = async () => {
    const list = shownList();
    const { subject } = readAddress();
    markTab(list.name);
    // What the key may do is known before a list offers it.
    if (shown === undefined) acts.mayOperate = (await showOverview(key)).mayOperate;
    await Promise.all([list === shown ? null : listView.show(list), subjectView.show(subject)]);
    shown = list;
    listView.mark();
  };
  addEventListener('hashchange', () => show().catch(failed), { signal: stopping.signal });

  const renew = throttle(async (position) => {
    try {
      await Promise.all([showOverview(key, position), listView.refresh(position), subjectView.refresh(position)]);
    } catch (error) {
      failed(error);
    }
  });
  const told = ({ position, events }) => {
    announce(events);
    renew(position);
  };
  const stateChanged = (state) => {
    showStatus(state, state === 'live' ? 'live' : 'connecting again');
    if (state === 'live') renew(undefined);
  };
  makeTabs();
  show().catch(failed);
  follow(key, { told, stateChanged, signal: stopping.signal }).catch(failed);
}

/** At most once a second, with the latest argument that was one; never two at a time, and once more if told meanwhile. */
function throttle(work) {
  let latest;
  let isDue = false;
  let isRunning = false;
  const run = async () => {
    isRunning = true;
    while (isDue) {
      await new Promise((resolve) => setTimeout(resolve, renewEveryMs));
      isDue = false;
      await work(latest);
    }
    isRunning = false;
  };
  return (argument) => {
    latest = argument ?? latest;
    isDue = true;
    if (!isRunning) run();
  };
}

/** The list that the address names, or the first. */
function shownList() {
  return lists.find(({ name }) => name === readAddress().list) ?? lists[0];
}

function open(list) {
  location.hash = addressOf({ list: list.name });
}

function makeTabs() {
  const tab = (list) =>
    h(
      'button',
      { type: 'button', role: 'tab', id: `tab-${list.name}`, 'aria-controls': 'list', onclick: () => open(list) },
      h('span', { class: 'count', id: `count-${list.name}` }, '–'),
      h('span', {}, list.label),
      h('span', { class: 'tab-note', id: `note-${list.name}` }),
    );
  const moved = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const at = lists.indexOf(shownList());
    const list = lists[(at + step + lists.length) % lists.length];
    open(list);
    byId(`tab-${list.name}`).focus();
  };
  const tabs = byId('tabs');
  replaceIn(tabs, ...lists.map(tab));
  tabs.onkeydown = moved;
}

function markTab(name) {
  for (const list of lists) {
    const isShown = list.name === name;
    const tab = byId(`tab-${list.name}`);
    tab.setAttribute('aria-selected', String(isShown));
    tab.tabIndex = isShown ? 0 : -1;
  }
  byId('list').setAttribute('aria-labelledby', `tab-${name}`);
}

async function showOverview(key, after) {
  const overview = await get(key, '/v1/overview', { after });
  for (const list of lists) {
    const { count, isMore } = list.count(overview);
    byId(`count-${list.name}`).textContent = `${count.toLocaleString()}${isMore ? '+' : ''}`;
    byId(`note-${list.name}`).textContent = list.note?.(overview) ?? '';
  }
  byId('as-of').textContent = overview.asOf === null ? '' : `as of ${localText(overview.asOf)}`;
  return overview;
}

function showStatus(state, text) {
  const status = byId('status');
  status.className = `status ${state}`;
  if (status.textContent !== text) status.textContent = text;
}

/** Says lapses aloud; the rest of the ledger is only shown. */
function announce(events) {
  const lapsed = events
    .filter(({ type }) => type === 'expectationLapsed')
    .map(({ lapse }) => `${lapse.lapse}: ${lapse.expects}`);
  if (lapsed.length === 0) return;
  byId('announcement').textContent =
    lapsed.length > 3 ? `${lapsed.length} expectations have lapsed` : lapsed.join('. ');
}

function askForKey(message) {
  byId('record').hidden = true;
  byId('status').textContent = '';
  const form = byId('key-form');
  form.hidden = false;
  if (message !== undefined) byId('key-message').textContent = `This key was not taken: ${message}.`;
  form.onsubmit = (event) => {
    event.preventDefault();
    const key = byId('key').value.trim();
    byId('key').value = '';
    keepKey(key);
    start(key);
  };
  byId('key').focus();
}

keepDistances();
const key = takeKey();
if (key === null) askForKey();
else start(key);
