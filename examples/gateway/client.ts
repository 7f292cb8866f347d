// A client of an A2A agent on the official SDK, that knows nothing of expectations or of Duewatch. Usage: client.js URL [KEY]:
// prints what the agent answers, as JSON.
import { Message } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';

const [, , url = '', messageId = 'booking-1'] = process.argv;
const client = await new ClientFactory().createFromUrl(url);
const message = Message.fromJSON({ messageId, role: 'ROLE_USER', parts: [{ text: 'Book a shipment to Doha.' }] });
const answer = await client.sendMessage({ tenant: '', message, metadata: undefined, configuration: undefined });
console.log(JSON.stringify(answer));
