import { personalLook, personalNote } from './personal.ts';

describe('a subject or key that may be personal data (§14)', () => {
  it.each([
    ['jane.doe@example.com', 'an e-mail address'],
    ['case.closed:jane+home@mail.example.co.uk', 'an e-mail address'],
    ['<o_o@example.travel>', 'an e-mail address'],
    ['+44 20 7946 0958', 'a telephone number'],
    ['callback:+4915112345678', 'a telephone number'],
    ['+1 (555) 010-4477', 'a telephone number'],
    ['(555) 010-4477', 'a telephone number'],
    ['555-010-4477', 'a telephone number'],
    ['555.010.4477', 'a telephone number'],
    ['(020) 7946 0958', 'a telephone number'],
    ['tel:5550104477', 'a telephone number'],
  ])('%j looks like %s', (text, look) => {
    expect(personalLook(text)).toBe(look);
  });

  it.each([
    'shipment.departed:PA-2026-0901',
    'PA-2026-0901',
    // An air waybill, a container, a serial shipping container code, an EPC, a booking, a bank account.
    '176-12345675',
    'MSKU1234565',
    '00340434292335592130',
    'urn:epc:id:sscc:0614141.1234567890',
    'urn:epc:id:sgtin:0614141.107346.2017',
    '5550104477',
    'DE89 3704 0044 0532 0130 00',
    'ORD-555-010-4477',
    '555-010-4477-2',
    // Instants, addresses, versions, packages, identifiers.
    '2026-09-11T02:41:00+01:00',
    '2026-09-10',
    '192.168.100.1234',
    'v1.2.3+20260910',
    'flight+123456789',
    'react@18.2.0',
    '@handle',
    'sha256@abcdef',
    'b7e23ec2-9af1-4a35-8b22-5550104477ab',
    '',
  ])('%j does not', (text) => {
    expect(personalLook(text)).toBeUndefined();
  });

  it('is looked for in no more than a key may have', () => {
    expect(personalLook('@a.'.repeat(400_000))).toBeUndefined();
    expect(personalLook('+1 ('.repeat(400_000))).toBeUndefined();
  });

  it('is named by its place in an expectation, and in a fact', () => {
    const subject = { type: 'person', id: 'jane@example.com' };
    expect(personalNote({ subject }, 'expectations')?.path).toBe('subject.id');
    expect(personalNote({ satisfiedBy: { factKey: 'called:+44 20 7946 0958' } }, 'expectations')).toEqual({
      path: 'satisfiedBy.factKey',
      message: expect.stringMatching(/telephone number.*§14/),
    });
    expect(personalNote({ factKey: 'met:jane@example.com' }, 'facts')?.path).toBe('factKey');
    expect(personalNote({ factKey: 'departed:PA-1', subject: null }, 'facts')).toBeUndefined();
    expect(personalNote(null, 'facts')).toBeUndefined();
  });
});
