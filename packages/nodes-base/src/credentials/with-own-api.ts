import { type CredentialType, type JsonObject, optionalCredentialText } from '@sluice/node-sdk';

/** The type, in which an empty `ownApiField` stands for the public API of this service; `url` null: it is unknown. */
export function withOwnApi(type: CredentialType, url: string | null): CredentialType {
  const { ownApiField: field, test } = type;
  if (field === undefined) return type;
  const complete = (written: JsonObject) => {
    const data = type.complete?.(written) ?? written;
    return url === null || optionalCredentialText(data, field) !== '' ? data : { ...data, [field]: url };
  };
  const problem = `the field "${field}" must be set: the address of this service is unknown without PUBLIC_URL`;
  return {
    ...type,
    complete,
    problemOf: (data) => type.problemOf?.(data) ?? (optionalCredentialText(complete(data), field) === '' ? problem : undefined),
    ...(test && { test: (data, ...rest) => test(complete(data), ...rest) }),
  };
}
