// The requests of A2A 0.3. In JSON-RPC they are no ProtoJSON, and the SDK does not expect a null everywhere; in HTTP+JSON they
// are ProtoJSON of another schema.
import {
  base64,
  fields,
  flag,
  listOf,
  members,
  optional,
  queryWhole,
  type Shape,
  text,
  whole,
  word,
} from './json-shape.ts';

const texts = listOf(text);
/** JSON-RPC of 0.3 knows no other spelling. */
const exact: typeof fields = (known, rules) => fields(known, { ...rules, isExact: true });
const ids = { messageId: text, contextId: text, taskId: text };

const file = exact({ bytes: base64, uri: text, mimeType: text, name: text }, { oneOf: ['bytes', 'uri'] });
const kinds: Readonly<Record<string, Shape>> = {
  text: exact({ text, metadata: members }, { required: ['text'] }),
  file: exact({ file, metadata: members }, { required: ['file'] }),
  data: exact({ data: members, metadata: members }, { required: ['data'] }),
};
const part: Shape = (value, at) => {
  const fault = exact({ kind: text }, { required: ['kind'] })(value, at);
  if (fault !== undefined) return fault;
  const kind = (value as { readonly kind: string }).kind;
  const shape = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  return shape === undefined ? { field: `${at}.kind`, why: 'must be text, file or data' } : shape(value, at);
};
const message = exact(
  {
    ...{ ...ids, role: text, parts: listOf(part, 1) },
    ...{ metadata: members, extensions: texts, referenceTaskIds: texts },
  },
  { required: ['messageId', 'role', 'parts'] },
);
const authentication = exact({ schemes: texts, credentials: text });
const pushConfig = exact({ id: text, url: text, token: text, authentication }, { required: ['url'] });
const configuration = exact({
  ...{ acceptedOutputModes: texts, historyLength: whole, blocking: flag },
  pushNotificationConfig: pushConfig,
});
const send = exact({ message, configuration, metadata: members }, { required: ['message'] });
const ofTask = exact({ id: text, historyLength: whole, metadata: members }, { required: ['id'] });
const ofPushConfig = exact({ id: text, pushNotificationConfigId: text }, { required: ['id'] });
const deletePushConfig = exact(
  { id: text, pushNotificationConfigId: text },
  { required: ['id', 'pushNotificationConfigId'] },
);
const setPushConfig = exact(
  { taskId: text, pushNotificationConfig: pushConfig },
  { required: ['taskId', 'pushNotificationConfig'] },
);

/** By the method's name. */
export const rpc = {
  ...{ 'message/send': send, 'message/stream': send },
  ...{ 'tasks/get': ofTask, 'tasks/cancel': ofTask, 'tasks/resubscribe': ofTask },
  'tasks/pushNotificationConfig/set': setPushConfig,
  'tasks/pushNotificationConfig/get': ofPushConfig,
  'tasks/pushNotificationConfig/list': ofPushConfig,
  'tasks/pushNotificationConfig/delete': deletePushConfig,
};

const restPart = fields(
  {
    ...{ text, metadata: members, data: fields({ data: members }, { required: ['data'] }) },
    file: fields(
      { fileWithUri: text, fileWithBytes: base64, mimeType: text, name: text },
      { oneOf: ['fileWithUri', 'fileWithBytes'] },
    ),
  },
  { oneOf: ['text', 'file', 'data'] },
);
const restMessage = fields(
  { ...ids, role: word, content: listOf(restPart, 1), metadata: members, extensions: texts },
  { required: ['messageId', 'role', 'content'] },
);
const restConfig = fields({
  id: text,
  url: text,
  token: text,
  authentication: fields({ schemes: texts, credentials: text }),
});
const restConfiguration = fields({
  ...{ acceptedOutputModes: texts, historyLength: whole, blocking: flag },
  pushNotification: restConfig,
});
const restSend = fields(
  { message: restMessage, request: restMessage, configuration: restConfiguration, metadata: members },
  { oneOf: ['message', 'request'] },
);
const restPushConfig = fields(
  { name: text, pushNotificationConfig: restConfig },
  { required: ['name', 'pushNotificationConfig'] },
);

/** What HTTP+JSON has in bodies and queries. */
export const rest = {
  ...{ send: restSend, pushConfig: restPushConfig, noBody: optional(members) },
  taskQuery: fields({ historyLength: queryWhole }),
};
