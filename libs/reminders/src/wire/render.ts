// Reminders as text for an agent's context: one block a role hint, for a turn's system or developer text. It is never a
// message: whoever renders must put it into no history.
import { type Reminder, type ReminderRoleHint, roleHints } from '../life-cycle/reminder.ts';

export interface ContextBlock {
  readonly roleHint: ReminderRoleHint;
  readonly text: string;
}

/** The blocks, system before developer, each with its reminders in the order given; none where there is nothing to say. */
export function renderReminders(reminders: readonly Reminder[]): readonly ContextBlock[] {
  return roleHints.flatMap((roleHint) => {
    const texts = reminders.filter((reminder) => reminder.roleHint === roleHint).map(renderReminder);
    return texts.length === 0 ? [] : [{ roleHint, text: texts.join('\n') }];
  });
}

function renderReminder({ body, tags, source }: Reminder): string {
  const from = source === undefined ? '' : ` source="${attribute(source)}"`;
  const about = tags.length === 0 ? '' : ` tags="${attribute(tags.join(', '))}"`;
  return `<reminder${from}${about}>\n${contained(body)}\n</reminder>`;
}

function attribute(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;').replace(/\s+/g, ' ');
}

/** A body cannot end its own block, nor begin another. */
function contained(body: string): string {
  return body.replace(/<(?=\s*\/?\s*reminder\b)/gi, '&lt;');
}
