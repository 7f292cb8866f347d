// Content as A2A 1.0 writes it in JSON.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export type Metadata = Readonly<Record<string, Json>>;

/** One piece of a message or an artifact: exactly one of `text`, `data`, `url` and `raw` (base64). */
export interface Part {
  readonly text?: string;
  readonly data?: Json;
  readonly url?: string;
  readonly raw?: string;
  readonly mediaType?: string;
  readonly filename?: string;
  readonly metadata?: Metadata;
}

/** A message of a caller's. */
export interface IncomingMessage {
  readonly messageId: string;
  readonly parts: readonly Part[];
  /** What the text parts say, in order, a line each. */
  readonly text: string;
  /** The data part of a typed agent, which its schema has been asked about; else undefined. */
  readonly data: Json | undefined;
  readonly metadata: Metadata;
  /** The tasks that it is about. */
  readonly referenceTaskIds: readonly string[];
}

/** What goes with something that is said, such as what an extension says: its metadata, and the extensions it is of. */
export interface Carried {
  /** JSON. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly extensions?: readonly string[];
}

/** What callers can have beside the answer, as one thing with a name. */
export interface ArtifactContent extends Carried {
  /** Unique in the task; the same one again replaces it, or goes on with it where `append` says so. */
  readonly artifactId: string;
  readonly name?: string;
  readonly description?: string;
  readonly parts: readonly Part[];
  readonly append?: boolean;
}
