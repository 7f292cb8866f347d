// Builds elements. Whatever comes from the record is set as text, never as markup.

/** `h('p', { class: 'dim' }, 'text', child)`; properties that begin with `on` are listeners, null children are left out. */
export function h(name, properties = {}, ...children) {
  return fill(document.createElement(name), properties, children);
}

/** The same in SVG. */
export function s(name, properties = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...present(children));
  return element;
}

/** Puts the children in the place of those that are there; as ever, null ones are left out. */
export function replaceIn(element, ...children) {
  element.replaceChildren(...present(children));
}

function present(children) {
  return children.flat().filter((child) => child !== null && child !== undefined && child !== false);
}

export function byId(id) {
  return document.getElementById(id);
}
