// Any string as text for a store that takes neither NUL nor lone surrogates: as JSON escapes it, without the quotes. What
// has nothing to escape, as tenants have not, is written as it is.

export function toSafeText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function fromSafeText(text: string): string {
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}
