// An entry of the card's `capabilities.extensions`, where the handler knows best what is in it.

export interface ExtensionEntry {
  readonly uri: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly params?: Readonly<Record<string, unknown>>;
}
