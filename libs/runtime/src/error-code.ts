// The code that Node and its drivers put on an error. Not by `instanceof`: an error may come from another realm.

/** `ENOENT`, `57P01` and the like; empty where there is none. */
export function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
