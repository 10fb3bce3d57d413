import { describe, expect, test } from '@jest/globals';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import * as contract from './index.ts';
import { messageKeyword } from './schema-helpers.ts';

const schemas = Object.entries(contract).filter(([, value]) => typeof value === 'object' && value !== null && 'type' in value);

describe('the schemas of the contract', () => {
  test('are found', () => {
    expect(schemas.length).toBeGreaterThan(20);
  });

  test.each(schemas)('%s is valid JSON Schema 2020-12 and strict', (_, schema) => {
    const ajv = new Ajv({ strict: true, allowUnionTypes: true, validateFormats: false, keywords: [messageKeyword] });
    expect(() => ajv.compile(schema as object)).not.toThrow();
  });
});
