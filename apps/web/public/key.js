// The API key: from the address's fragment, kept for this tab, and out of the address as soon as it is read.
const place = 'duewatch.key';

/** Takes `#key=…` out of the address bar and its history. Returns the key of this tab, or null. */
export function takeKey() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const key = fragment.get('key');
  if (key !== null) {
    sessionStorage.setItem(place, key);
    fragment.delete('key');
    const rest = fragment.toString();
    history.replaceState(null, '', location.pathname + location.search + (rest === '' ? '' : `#${rest}`));
  }
  return sessionStorage.getItem(place);
}

export function keepKey(key) {
  sessionStorage.setItem(place, key);
}

export function forgetKey() {
  sessionStorage.removeItem(place);
}
