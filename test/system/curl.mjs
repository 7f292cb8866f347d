// As much of curl as the README uses, for a machine that has none. Usage: curl.mjs [-sS] [-X METHOD] [-H HEADER]… [-d BODY|@-] URL
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const text = { type: 'string' };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    'show-error': { type: 'boolean', short: 'S' },
    request: { ...text, short: 'X' },
    header: { ...text, short: 'H', multiple: true },
    data: { ...text, short: 'd' },
  },
});
const body = values.data === '@-' ? readFileSync(0, 'utf8') : values.data;
const headers = (values.header ?? []).map((header) => /^([^:]+): *(.*)$/.exec(header)?.slice(1));
const method = values.request ?? (body === undefined ? 'GET' : 'POST');
const response = await fetch(positionals[0], { method, headers, body });
process.stdout.write(await response.text());
