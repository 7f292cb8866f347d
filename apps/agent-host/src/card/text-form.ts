// What a text of a card must be, beside not empty, where whoever reads the card takes it for something.

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

const forms = {
  /** Part of keys, and of lines of the log. */
  line: { is: /^[^\p{Cc}\p{Cs}]+$/u, words: 'a line of text, without control characters' },
  url: { is: /^https?:/, words: 'a URL, with http or https', isUrl: true },
  iconUrl: { is: /^(https?:|data:image\/)/, words: 'the URL of an image, with http, https or data', isUrl: true },
  /** Callers list them with commas between. */
  uri: { is: /^[A-Za-z][A-Za-z0-9+.-]*:[^\s,]+$/, words: 'a URI, without blanks and commas' },
  mediaType: { is: new RegExp(`^${token}/${token}( *;.*)?$`), words: 'a media type, such as text/plain' },
  /** RFC 9110 §5.6.2. */
  fieldName: { is: new RegExp(`^${token}$`), words: 'a name such as header fields have' },
} as const satisfies Readonly<Record<string, { readonly is: RegExp; readonly words: string; readonly isUrl?: true }>>;

export type TextForm = keyof typeof forms;

/** A sentence; undefined where it is of the form. */
export function findInText(text: string, form: TextForm): string | undefined {
  const { is, words, ...rest } = forms[form];
  const isSo = is.test(text) && (!('isUrl' in rest) || URL.canParse(text));
  return isSo ? undefined : `it must be ${words}`;
}
