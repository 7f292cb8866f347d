// deploy/docker/Dockerfile, as far as tests ask about it: stages of instructions, and what the last of them makes.
import { textOf } from './repository-file.ts';
import type { Environment } from './workload.ts';

export interface Instruction {
  readonly name: string;
  /** Without flags, continued lines joined. */
  readonly text: string;
  readonly flags: Environment;
}

export interface Stage {
  readonly from: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

/** The stages in order. Throws on a line that is no instruction. */
export function readDockerfile(): readonly Stage[] {
  const stages: { from: string; name: string | undefined; instructions: Instruction[] }[] = [];
  const lines = textOf('deploy/docker/Dockerfile')
    .replace(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n');
  for (const line of lines.filter((text) => text.trim() !== '')) {
    const [, name = '', flags = '', text = ''] = /^([A-Z]+)((?: --\S+)*) (.+)$/.exec(line) ?? [];
    if (name === '') throw new Error(`no instruction: ${line}`);
    if (name === 'FROM') {
      const [, from = '', stage] = /^(\S+)(?: AS (\S+))?$/.exec(text) ?? [];
      stages.push({ from, name: stage, instructions: [] });
    } else {
      const parsed = [...flags.matchAll(/--([\w-]+)=(\S+)/g)].map(([, flag = '', value = '']) => [flag, value]);
      stages.at(-1)?.instructions.push({ name, text, flags: Object.fromEntries(parsed) as Environment });
    }
  }
  return stages;
}

/** The texts of a stage's instructions of one name. */
export function textsOf(stage: Stage, name: string): readonly string[] {
  return stage.instructions.filter((instruction) => instruction.name === name).map(({ text }) => text);
}

/** What the image itself sets. */
export function imageEnvironment(): Environment {
  const texts = textsOf(readDockerfile().at(-1)!, 'ENV');
  return Object.fromEntries(texts.flatMap((text) => text.split(' ').map((pair) => pair.split('=')))) as Environment;
}
