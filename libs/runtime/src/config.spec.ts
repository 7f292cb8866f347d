import { defaultSettings } from '#expectations';
import { defaultBounds } from '#reminders';
import { ConfigError, loadConfig, unknownSettings } from './config.ts';

describe('the configuration', () => {
  it('has a value for everything in an empty environment', () => {
    expect(loadConfig({})).toEqual({
      bind: '127.0.0.1',
      port: 8420,
      dataDirectory: expect.stringMatching(/\/\.duewatch$/),
      logLevel: 'info',
      deployment: 'duewatch',
      followStreams: 100,
      reminderBounds: defaultBounds,
      partitionCount: 8,
      inboxRetentionMs: 604_800_000,
      initialSettings: defaultSettings,
    });
  });

  it('takes what the environment says, an empty variable counting as absent', () => {
    const config = loadConfig({
      DUEWATCH_BIND: '::',
      DUEWATCH_PORT: '0',
      DUEWATCH_DATA_DIR: '/var/lib/duewatch',
      DUEWATCH_BOOTSTRAP_KEY: 'a-key-for-scripts',
      DUEWATCH_SEAL_KEY: 'ab'.repeat(32),
      DUEWATCH_DATABASE_URL: 'postgres://user:secret@db:5432/duewatch',
      DUEWATCH_REDIS_URL: 'rediss://user:secret@redis/1',
      DUEWATCH_LOG_LEVEL: '',
      DUEWATCH_PARTITIONS: '48',
      DUEWATCH_DEPLOYMENT: 'blue',
      DUEWATCH_INBOX_RETENTION: 'PT1H',
      DUEWATCH_AGENT_RATE: '60',
      DUEWATCH_TENANT_RATE: '6000',
      DUEWATCH_INITIAL_SETTINGS: '{"lineageBound":5}',
      DUEWATCH_PUBLIC_URL: 'https://Watch.example/due/',
      DUEWATCH_FOLLOW_STREAMS: '0',
      DUEWATCH_REMINDER_BODY_BYTES: '1024',
      DUEWATCH_REMINDER_TAGS: '0',
      DUEWATCH_REMINDER_LIVE: '8',
      DUEWATCH_REMINDER_METADATA_BYTES: '64',
    });
    expect(config).toEqual({
      publicUrl: 'https://watch.example/due',
      followStreams: 0,
      reminderBounds: { bodyBytes: 1_024, tagsCount: 0, livePerTaskCount: 8, metadataBytes: 64 },
      bind: '::',
      port: 0,
      dataDirectory: '/var/lib/duewatch',
      bootstrapKey: 'a-key-for-scripts',
      sealKey: Buffer.alloc(32, 0xab),
      databaseUrl: 'postgres://user:secret@db:5432/duewatch',
      redis: { host: 'redis', port: 6379, isTls: true, username: 'user', password: 'secret', database: 1 },
      logLevel: 'info',
      deployment: 'blue',
      partitionCount: 48,
      inboxRetentionMs: 3_600_000,
      agentPerMinute: 60,
      tenantPerMinute: 6_000,
      initialSettings: { ...defaultSettings, lineageBound: 5 },
    });
  });

  it.each([
    ['https://watcher.example', 'https://watcher.example'],
    ['http://watcher.example:8080/due/watch/', 'http://watcher.example:8080/due/watch'],
  ])('takes %s for where clients reach it', (text, publicUrl) => {
    expect(loadConfig({ DUEWATCH_PUBLIC_URL: text })).toMatchObject({ publicUrl });
  });

  it.each(['watcher.example', 'ftp://watcher.example', 'https://u:p@watcher.example', 'https://x/?a', 'https://x/#a'])(
    'takes %s for no place where clients reach it',
    (text) => {
      expect(() => loadConfig({ DUEWATCH_PUBLIC_URL: text })).toThrow('DUEWATCH_PUBLIC_URL must be');
    },
  );

  it('lists every error at once, and no secret', () => {
    const load = () =>
      loadConfig({
        DUEWATCH_BIND: 'not a host',
        DUEWATCH_PORT: '70000',
        DUEWATCH_BOOTSTRAP_KEY: 'short',
        DUEWATCH_SEAL_KEY: 'abc123',
        DUEWATCH_DATABASE_URL: 'mysql://root:hunter2@db/x',
        DUEWATCH_REDIS_URL: 'redis://:hunter2@redis/x',
        DUEWATCH_LOG_LEVEL: 'loud',
        DUEWATCH_PARTITIONS: '0',
        DUEWATCH_DEPLOYMENT: 'blue and green',
        DUEWATCH_KAFKA_BROKERS: 'nowhere',
      });
    expect(load).toThrow(ConfigError);
    expect(load).toThrow(/BIND.*PORT.*LOG_LEVEL.*DEPLOYMENT.*PARTITIONS/s);
    expect(load).toThrow(/KAFKA_BROKERS must be host:port/);
    expect(load).toThrow(/BOOTSTRAP_KEY.*SEAL_KEY.*DATABASE_URL.*REDIS_URL/s);
    expect(load).not.toThrow(/hunter2|short|abc123/);
  });

  it.each(['ftp://x', '/push', 'https://user:secret@x/', 'https://x/?a=1', 'https://x/#a'])(
    'refuses %s as the public URL',
    (url) => {
      const load = () => loadConfig({ DUEWATCH_PUBLIC_URL: url });
      expect(load).toThrow(/DUEWATCH_PUBLIC_URL must be/);
      expect(load).not.toThrow(/secret/);
    },
  );

  it('lets no task have more of reminders live than can be read in one piece', () => {
    const load = (BODY_BYTES: string, LIVE: string) => () =>
      loadConfig({ DUEWATCH_REMINDER_BODY_BYTES: BODY_BYTES, DUEWATCH_REMINDER_LIVE: LIVE });
    expect(load('65536', '64')).not.toThrow();
    expect(load('65536', '65')).toThrow('DUEWATCH_REMINDER_BODY_BYTES times DUEWATCH_REMINDER_LIVE must be at most');
    expect(load('0', '64')).toThrow('DUEWATCH_REMINDER_BODY_BYTES must be a whole number from 1 to 65536');
  });

  it('finds a name that is none of its own, as a mistyped one', () => {
    expect(
      unknownSettings({
        DUEWATCH_PROT: '1',
        DUEWATCH_PORT: '1',
        DUEWATCH_KEY: 'k',
        DUEWATCH_KAFKA_TLS: 'true',
        DUEWATCH_REMINDER_LIVE: '1',
        PATH: '/bin',
      }),
    ).toEqual(['DUEWATCH_PROT']);
  });
});
