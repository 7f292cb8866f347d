// What is quarantined: the list, and what an operator may do with it. Whatever was reported is set as text.
import { post } from './api.js';
import { badge } from './cells.js';
import { h } from './dom.js';
import { timeWithDistance } from './time.js';

const problem = (error) => dispatchEvent(new CustomEvent('problem', { detail: error }));

/** What the buttons do; `changed` is called after each act. The API says no to whom it is not for. */
export function actsOf(key, changed) {
  const act = (id, name, body) => post(key, `/v1/quarantine/${id}/${name}`, body).then(changed).catch(problem);
  return {
    release: ({ id }) => act(id, 'release'),
    discard: ({ id }) => {
      const reason = prompt('Why is it discarded?')?.trim();
      if (reason) act(id, 'discard', { reason });
    },
  };
}

export const quarantinedList = {
  name: 'quarantined',
  label: 'Quarantined',
  count: (overview) => overview.quarantined,
  title: 'Facts that were not believed, the latest first',
  path: '/v1/quarantine',
  parameters: {},
  key: ({ id }) => id,
  columns: ['When', 'Fact', 'Why', 'What to do'],
  cells: (item, acts) => [
    timeWithDistance(item.receivedAt),
    h(
      'div',
      {},
      h('code', {}, String(item.fact.factKey)),
      h('div', { class: 'dim small' }, item.reporter, ' · observed ', String(item.fact.observedAt)),
    ),
    h('div', { class: 'small' }, item.reason),
    acts.mayOperate ? buttons(item, acts) : h('div', { class: 'small' }, 'An operator releases or discards it.'),
  ],
  empty: [
    'Nothing is quarantined.',
    'A fact observed long ago, or in the future, is kept here until an operator releases or discards it.',
  ],
};

function buttons(item, acts) {
  const button = (name, act) => h('button', { type: 'button', class: 'act', onclick: () => act(item) }, name);
  const isReleasing = item.state === 'releasing';
  return h(
    'div',
    { class: 'badges' },
    button('Release', acts.release),
    isReleasing ? badge('release begun', 'warning', 'It may be in the log: release it again.') : null,
    isReleasing ? null : button('Discard', acts.discard),
  );
}
