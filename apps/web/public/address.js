// What is shown stands in the address's fragment: a list, and a subject. So it can be kept, sent on, and gone back to.

/** The list's name (null: none is said) and the subject (undefined: none). */
export function readAddress() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const type = fragment.get('type');
  const id = fragment.get('id');
  return { list: fragment.get('list'), subject: type === null || id === null ? undefined : { type, id } };
}

/** The fragment that shows a list, or a subject, beside what is shown of the other. */
export function addressOf({ list = readAddress().list, subject = readAddress().subject }) {
  const shown = {
    ...(list !== null && { list }),
    ...(subject !== undefined && { type: subject.type, id: subject.id }),
  };
  return `#${new URLSearchParams(shown)}`;
}
