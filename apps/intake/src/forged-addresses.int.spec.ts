// Registrations that would have the watcher call what is not to be called (server-side request forgery): none connects.
import type { Outbound } from '#outbound';
import {
  type CardServer,
  type EdgeApp,
  exampleCard,
  guardedOutbound,
  startCardServer,
  startEdgeApp,
  startVictim,
  type Victim,
} from '#testing';
import { IntakeModule } from './intake.module.ts';

/** The deployment lists the card server's address, and this one beside it is not listed. */
const forbidden = '127.0.0.2';

let edge: EdgeApp;
let cards: CardServer;
let victim: Victim;
let outbound: Outbound;
let port: number;
let key: string;

beforeAll(async () => {
  cards = await startCardServer();
  port = Number(new URL(cards.url).port);
  victim = await startVictim(forbidden, port);
  outbound = guardedOutbound(['127.0.0.1/32'], {
    'forbidden.test': [[forbidden]],
    'forbidden6.test': [['::1', 'fd00::1']],
    'rebound.test': [['127.0.0.1'], [forbidden]],
  });
  edge = await startEdgeApp([IntakeModule], undefined, outbound);
  key = await edge.key({ scopes: ['agents'] });
});

beforeEach(() => {
  Object.assign(cards, { card: exampleCard(), status: 200, headers: {} });
});

afterAll(() => Promise.all([edge.close(), cards.close(), victim.close(), outbound.close()]));

const put = (agentId: string, json: object) => edge.call('PUT', `/v1/agents/${agentId}`, { key, json });
const refused = {
  status: 422,
  body: {
    type: '/problems/card-unreadable',
    code: 'address_refused',
    detail: expect.stringMatching(/is no public address .*: DUEWATCH_OUTBOUND_ALLOW may list it/),
  },
};

it('is of a card that may be had, where the address is listed', async () => {
  expect(await put('listed', { cardUrl: cards.url })).toMatchObject({ status: 200 });
});

it.each([
  ['a literal', forbidden],
  ['a number', '2130706434'],
  ['octal', '0177.0.0.2'],
  ['IPv6', '[::1]'],
  ['IPv4 in IPv6', '[::ffff:127.0.0.2]'],
  ['IPv4 in IPv6, in hexadecimal', '[::ffff:7f00:2]'],
  ['a name', 'forbidden.test'],
  ['a name of IPv6', 'forbidden6.test'],
])('connects to nothing and says why: %s', async (_, host) => {
  expect(await put('forged', { cardUrl: `http://${host}:${port}` })).toMatchObject(refused);
  expect((await edge.call('GET', '/v1/agents/forged', { key })).status).toBe(404);
  expect(victim.connectionsCount).toBe(0);
});

it.each([
  ['a literal', forbidden],
  ['a name', 'forbidden.test'],
])('connects to nothing by a redirect: %s', async (_, host) => {
  Object.assign(cards, { status: 302, headers: { location: `http://${host}:${port}/card.json` } });
  expect(await put('redirected', { cardUrl: cards.url })).toMatchObject(refused);
  expect(victim.connectionsCount).toBe(0);
});

it('connects to nothing once the name answers otherwise than when it was registered', async () => {
  cards.headers = { connection: 'close' };
  expect(await put('rebound', { cardUrl: `http://rebound.test:${port}` })).toMatchObject({ status: 200 });
  expect(await edge.call('POST', '/v1/agents/rebound/card/read', { key })).toMatchObject(refused);
  expect(victim.connectionsCount).toBe(0);
  // The card that is known stays, and the agent shows why it is not read again.
  expect((await edge.call('GET', '/v1/agents/rebound', { key })).body).toMatchObject({
    card: { version: 1, problem: { code: 'address_refused' } },
  });
});

it('connects to nothing for a token', async () => {
  const auth = { type: 'oauth2', tokenUrl: `http://${forbidden}:${port}/token`, clientId: 'a', clientSecret: 'b' };
  expect(await put('token', { cardUrl: cards.url, auth })).toMatchObject({
    status: 422,
    body: { code: 'token_refused', detail: expect.stringMatching(/DUEWATCH_OUTBOUND_ALLOW/) },
  });
  expect(victim.connectionsCount).toBe(0);
});
