// Whether the client has activated the extension (Expectations §7), and saying so before a request is handled: the SDK sends
// the headers of a stream before an executor could.
import {
  defaultServerCallContextBuilder,
  type ServerCallContext,
  type ServerCallContextBuilder,
} from '@a2a-js/sdk/server';
import { EXTENSION_HEADER, EXTENSION_URI, LEGACY_EXTENSION_HEADER, understoodUris } from '#protocol/pure';

/** The SDK's context, or a handler's: what the request asked for, and what is activated by now. */
export type Activating = Pick<ServerCallContext, 'requestedExtensions' | 'activatedExtensions'>;

/** Headers as Node has them: names in lower case. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Whether the client of this request has activated the extension. */
export function isActivated({ requestedExtensions, activatedExtensions }: Activating): boolean {
  return [requestedExtensions, activatedExtensions].some((uris) => uris?.includes(EXTENSION_URI) === true);
}

/**
 * A context builder for the SDK's handlers that activates what is requested and understood, so that it is echoed on every
 * binding, streams included. Wraps one of yours, or the SDK's own.
 */
export function activating(
  build: ServerCallContextBuilder = defaultServerCallContextBuilder,
): ServerCallContextBuilder {
  return (options) => {
    const context = build(options);
    for (const uri of understoodUris)
      if (options.extensions?.includes(uri) === true) context.addActivatedExtension(uri);
    return context;
  };
}

/** The extensions that a request's headers ask for, of A2A 1.0 and of 0.3, for who serves A2A without the SDK. */
export function requestedExtensions(headers: Headers): readonly string[] {
  return [
    ...new Set([EXTENSION_HEADER, LEGACY_EXTENSION_HEADER].flatMap((name) => urisIn(headers[name.toLowerCase()]))),
  ];
}

/** What stands in one such header. */
export function urisIn(header: unknown): readonly string[] {
  const texts = (Array.isArray(header) ? header : [header]).filter((text) => typeof text === 'string');
  return texts.flatMap((text) => text.split(',').map((uri) => uri.trim())).filter((uri) => uri !== '');
}
