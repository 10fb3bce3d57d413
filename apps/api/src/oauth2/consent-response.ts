import { ownProperty, userKeyed } from '@sluice/domain';
import type { ConsentResponse } from '../credentials/credential-consents.ts';

const maxCodeLength = 4_096;
/** Maximum length of a further parameter, in characters: an account ID or a list of scopes. */
const maxParameterLength = 1_024;

/**
 * Reads the query of the redirect back (RFC 6749 §4.1.2); `undefined` if it is not a consent
 * response. Keeps only the code of an error: with its text, anyone could insert text into this
 * page.
 */
export function toConsentResponse(query: Readonly<Record<string, unknown>>): ConsentResponse | undefined {
  const text = (name: string) => {
    const value = ownProperty(query, name);
    return typeof value === 'string' ? value : '';
  };
  const [state, code, error] = [text('state'), text('code'), text('error')];
  if (!/^[\w-]{43}$/.test(state)) return undefined;
  if (error !== '') return { state, refusal: /^[\w.-]{1,64}$/.test(error) ? error : 'it did not say why' };
  return code === '' || code.length > maxCodeLength ? undefined : { state, code, parameters: parametersOf(query) };
}

/** Some services name the account that the user chose. */
function parametersOf({ state: _, code: __, ...others }: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(others).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1].length <= maxParameterLength,
  );
  return userKeyed(texts);
}
