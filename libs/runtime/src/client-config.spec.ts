import { loadClientConfig } from './client-config.ts';
import { ConfigError } from './config.ts';

describe('where a client finds the API', () => {
  it('is the local port unless it is said, an empty variable counting as absent', () => {
    expect(loadClientConfig({ DUEWATCH_URL: '', DUEWATCH_KEY: '' })).toEqual({ apiUrl: 'http://127.0.0.1:8420' });
    expect(loadClientConfig({ DUEWATCH_PORT: '8500', DUEWATCH_BOOTSTRAP_KEY: 'dw_first' })).toEqual({
      apiUrl: 'http://127.0.0.1:8500',
      key: 'dw_first',
    });
    expect(loadClientConfig({ DUEWATCH_URL: 'https://watch.example/', DUEWATCH_KEY: 'dw_own' })).toEqual({
      apiUrl: 'https://watch.example',
      key: 'dw_own',
    });
  });

  it.each([
    { DUEWATCH_URL: 'nonsense' },
    { DUEWATCH_URL: 'ftp://watch.example' },
    { DUEWATCH_PORT: 'abc' },
    { DUEWATCH_KEY: 'two words' },
  ])('is refused where it cannot be one: %j', (environment) => {
    expect(() => loadClientConfig(environment)).toThrow(ConfigError);
  });
});
