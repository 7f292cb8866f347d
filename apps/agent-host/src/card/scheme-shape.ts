// A security scheme as A2A 1.0 has it (§4.5): OpenAPI's kinds, and mutual TLS. What the host enforces, `security-scheme.ts` says.
import type { Form, Shape } from './members.ts';

const text = { kind: 'text' } as const;
const url = { kind: 'text', form: 'url' } as const;
const requiredUrl = { ...url, isRequired: true } as const;
const scopes = { kind: 'map', of: { kind: 'text', mayBeEmpty: true } } as const;
const requiredScopes = { ...scopes, isRequired: true } as const;

const flows: Shape = {
  authorizationCode: {
    kind: 'object',
    shape: {
      ...{ authorizationUrl: requiredUrl, tokenUrl: requiredUrl, refreshUrl: url, scopes: requiredScopes },
      pkceRequired: { kind: 'flag' },
    },
  },
  clientCredentials: {
    kind: 'object',
    shape: { tokenUrl: requiredUrl, refreshUrl: url, scopes: requiredScopes },
  },
  implicit: { kind: 'object', shape: { authorizationUrl: url, refreshUrl: url, scopes } },
  password: { kind: 'object', shape: { tokenUrl: url, refreshUrl: url, scopes } },
  deviceCode: {
    kind: 'object',
    shape: { deviceAuthorizationUrl: requiredUrl, tokenUrl: requiredUrl, refreshUrl: url, scopes: requiredScopes },
  },
};

const schemes = {
  httpAuthSecurityScheme: {
    kind: 'object',
    shape: { scheme: { ...text, form: 'fieldName', isRequired: true }, bearerFormat: text, description: text },
  },
  apiKeySecurityScheme: {
    kind: 'object',
    shape: {
      location: { ...text, isRequired: true },
      name: { ...text, form: 'fieldName', isRequired: true },
      description: text,
    },
  },
  oauth2SecurityScheme: {
    kind: 'object',
    shape: {
      flows: { kind: 'one', shape: flows, code: 'scheme-not-enforced', isRequired: true },
      oauth2MetadataUrl: url,
      description: text,
    },
  },
  openIdConnectSecurityScheme: {
    kind: 'object',
    shape: { openIdConnectUrl: requiredUrl, description: text },
  },
  mtlsSecurityScheme: { kind: 'object', shape: { description: text } },
} as const satisfies Shape;

export const schemeKinds = Object.keys(schemes) as readonly (keyof typeof schemes)[];

export const schemeForm: Form = { kind: 'one', shape: schemes, code: 'scheme-not-enforced' };

/** The scopes that are asked for, by the name of the scheme. */
export const requirementForm: Form = {
  kind: 'object',
  shape: {
    schemes: {
      kind: 'map',
      of: { kind: 'object', shape: { list: { kind: 'list', of: text } } },
      isRequired: true,
    },
  },
};
