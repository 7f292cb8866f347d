// An agent card as A2A 1.0 has it (§4.4), but for its interfaces and capabilities, whose readers have their shapes.
import type { Shape } from './members.ts';
import { requirementForm, schemeForm } from './scheme-shape.ts';

const text = { kind: 'text' } as const;
const requiredText = { ...text, isRequired: true } as const;
const mediaTypes = { kind: 'list', of: { kind: 'text', form: 'mediaType' } } as const;
const securityRequirements = { kind: 'list', of: requirementForm } as const;

const provider: Shape = {
  organization: requiredText,
  url: { kind: 'text', form: 'url', isRequired: true },
};

const skill: Shape = {
  id: requiredText,
  name: requiredText,
  description: requiredText,
  tags: { kind: 'list', of: text, isFilled: true, isRequired: true },
  examples: { kind: 'list', of: text },
  inputModes: mediaTypes,
  outputModes: mediaTypes,
  securityRequirements,
};

export const cardShape: Shape = {
  name: { kind: 'text', form: 'line', isRequired: true },
  description: requiredText,
  version: requiredText,
  supportedInterfaces: { kind: 'list', isFilled: true, isRequired: true },
  provider: { kind: 'object', shape: provider },
  documentationUrl: { kind: 'text', form: 'url' },
  iconUrl: { kind: 'text', form: 'iconUrl' },
  capabilities: { kind: 'object', isRequired: true },
  securitySchemes: { kind: 'map', of: schemeForm },
  securityRequirements,
  defaultInputModes: { ...mediaTypes, isFilled: true, isRequired: true },
  defaultOutputModes: { ...mediaTypes, isFilled: true, isRequired: true },
  skills: { kind: 'list', of: { kind: 'object', shape: skill }, isFilled: true, isRequired: true },
  signatures: { kind: 'list' },
};
