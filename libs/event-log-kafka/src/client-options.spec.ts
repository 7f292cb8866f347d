import { clientOptions } from './client-options.ts';

const address = { brokers: ['kafka:9092'], prefix: 'acme' };

describe('the options of the client', () => {
  it('are in the clear and without a name where nothing is said', () => {
    const options = clientOptions(address);
    expect(options).toMatchObject({ brokers: ['kafka:9092'], clientId: 'acme' });
    expect(options).not.toHaveProperty('ssl');
    expect(options).not.toHaveProperty('sasl');
  });

  it('speak TLS with the given certificates, and with the system’s where none are given', () => {
    expect(clientOptions({ ...address, tls: { ca: 'pem' } }).ssl).toEqual({ ca: 'pem' });
    expect(clientOptions({ ...address, tls: {} }).ssl).toEqual({});
  });

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)('tell a password by %s', (mechanism) => {
    const sasl = { mechanism, username: 'watcher', password: 'hunter2' };
    expect(clientOptions({ ...address, sasl }).sasl).toEqual(sasl);
  });

  it('tell a token by oauthbearer, and no secret', () => {
    const { sasl } = clientOptions({
      ...address,
      sasl: { mechanism: 'oauthbearer', tokenUrl: 'http://127.0.0.1:1', clientId: 'a', clientSecret: 'b' },
    });
    expect(sasl).toEqual({ mechanism: 'oauthbearer', oauthBearerProvider: expect.any(Function) });
  });
});
