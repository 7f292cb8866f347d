// The requests of A2A 1.0, as ProtoJSON has them (A2A 5.5 to 5.7). Whether an id, a role or a state is one that there is, the
// operations ask.
import {
  anything,
  base64,
  fields,
  flag,
  instant,
  listOf,
  members,
  optional,
  queryFlag,
  queryText,
  queryWhole,
  text,
  whole,
  word,
} from './json-shape.ts';

const texts = listOf(text);
const tenant = text;

const part = fields(
  { text, raw: base64, url: text, data: anything, metadata: members, filename: text, mediaType: text },
  { oneOf: ['text', 'raw', 'url', 'data'] },
);
const ids = { messageId: text, contextId: text, taskId: text };
const message = fields(
  {
    ...{ ...ids, role: word, parts: listOf(part, 1) },
    ...{ metadata: members, extensions: texts, referenceTaskIds: texts },
  },
  { required: ['messageId', 'role', 'parts'] },
);
const pushConfig = fields({
  ...{ tenant, id: text, taskId: text, url: text, token: text },
  authentication: fields({ scheme: text, credentials: text }),
});
const configuration = fields({
  ...{ acceptedOutputModes: texts, taskPushNotificationConfig: pushConfig },
  ...{ historyLength: whole, returnImmediately: flag },
});
const send = fields({ tenant, message, configuration, metadata: members }, { required: ['message'] });
const ofTask = fields({ tenant, id: text, historyLength: whole, metadata: members }, { required: ['id'] });
const listTasks = fields({
  ...{ tenant, contextId: text, status: word, pageSize: whole, pageToken: text },
  ...{ historyLength: whole, statusTimestampAfter: instant, includeArtifacts: flag },
});
const ofPushConfig = fields({ tenant, taskId: text, id: text }, { required: ['taskId', 'id'] });
const listPushConfigs = fields({ tenant, taskId: text, pageSize: whole, pageToken: text }, { required: ['taskId'] });

/** By the method's name. */
export const rpc = {
  ...{ SendMessage: send, SendStreamingMessage: send },
  ...{ GetTask: ofTask, CancelTask: ofTask, SubscribeToTask: ofTask, ListTasks: listTasks },
  CreateTaskPushNotificationConfig: pushConfig,
  GetTaskPushNotificationConfig: ofPushConfig,
  DeleteTaskPushNotificationConfig: ofPushConfig,
  ListTaskPushNotificationConfigs: listPushConfigs,
  GetExtendedAgentCard: optional(fields({ tenant })),
};

/** What HTTP+JSON has in bodies and queries. */
export const rest = {
  ...{ send, pushConfig, noBody: optional(members) },
  taskQuery: fields({ tenant: queryText, historyLength: queryWhole }),
  tasksQuery: fields({
    ...{ tenant: queryText, contextId: queryText, status: queryText, pageSize: queryWhole, pageToken: queryText },
    ...{ historyLength: queryWhole, includeArtifacts: queryFlag },
    statusTimestampAfter: (value, at) => (value === '' ? undefined : instant(value, at)),
  }),
};
