import { CredentialSeal, SealBrokenError } from './credential-seal.ts';

const seal = new CredentialSeal(new Uint8Array(32).fill(7));

describe('the seal of credentials', () => {
  it('gives back what was sealed', () => {
    expect(seal.open(seal.seal('sesame', 'acme/booking'), 'acme/booking')).toBe('sesame');
  });

  it('does not show what was sealed, nor that it is the same', () => {
    const [one, other] = [seal.seal('sesame', 'a'), seal.seal('sesame', 'a')];
    expect(one.includes('sesame')).toBe(false);
    expect(one.equals(other)).toBe(false);
  });

  it('opens nothing for another owner, with another key, or changed', () => {
    const sealed = seal.seal('sesame', 'acme/booking');
    const changed = Buffer.from(sealed).fill(0, 12, 13);
    expect(() => seal.open(sealed, 'acme/other')).toThrow(SealBrokenError);
    expect(() => new CredentialSeal(new Uint8Array(32)).open(sealed, 'acme/booking')).toThrow(SealBrokenError);
    expect(() => seal.open(changed, 'acme/booking')).toThrow(SealBrokenError);
    expect(() => seal.open(new Uint8Array(3), 'acme/booking')).toThrow(SealBrokenError);
  });
});
