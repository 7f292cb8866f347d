// Where instants stand on a line. Long gaps are drawn shorter than they are, so that steps minutes apart stay apart
// beside days of silence; the order is always true.

const shortening = 0.4;

/** Maps epoch milliseconds to pixels from `left` to `right`, over all of `instants`. */
export function makeScale(instants, left, right) {
  const stops = [...new Set(instants)].sort((one, other) => one - other);
  const places = [0];
  for (let index = 1; index < stops.length; index += 1) {
    places.push(places[index - 1] + (stops[index] - stops[index - 1]) ** shortening);
  }
  const length = places.at(-1) || 1;
  return (instant) => {
    const after = stops.findIndex((stop) => stop >= instant);
    if (after <= 0) return after === 0 ? left : right;
    const part = (instant - stops[after - 1]) / (stops[after] - stops[after - 1]);
    const place = places[after - 1] + part * (places[after] - places[after - 1]);
    return left + (place / length) * (right - left);
  };
}

/** Of labels from left to right, those that have room for `width` pixels each. */
export function withRoom(labels, width) {
  let free = -Infinity;
  return labels.filter(({ x }) => {
    if (x - width / 2 < free) return false;
    free = x + width / 2;
    return true;
  });
}
