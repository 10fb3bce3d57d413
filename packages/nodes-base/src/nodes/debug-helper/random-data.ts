import type { Faker, LocaleDefinition } from '@faker-js/faker';
import { type ExecuteContext, type JsonObject, NodeOperationError, TimeSlice } from '@sluice/node-sdk';
import { stringOf } from '../../shared/coerced-text.ts';
import { choiceParameter, numberParameter, textParameter } from '../../shared/parameters.ts';
import { defaultAlphabet } from './debug-helper-properties.ts';

const maxItems = 10_000;
const maxIdLength = 1_000;

type Generate = (faker: Faker) => JsonObject;

const generators = {
  address: ({ person, location }: Faker) => ({
    firstname: person.firstName(),
    lastname: person.lastName(),
    street: location.streetAddress(),
    city: location.city(),
    zip: location.zipCode(),
    state: location.state(),
    country: location.country(),
  }),
  latLong: ({ location }: Faker) => ({ location: `${location.latitude()}, ${location.longitude()}` }),
  creditCard: ({ finance, date, person }: Faker) => ({
    type: finance.creditCardIssuer(),
    number: finance.creditCardNumber(),
    ccv: finance.creditCardCVV(),
    exp: monthAndYear(date.future({ years: 10 })),
    holder_name: person.fullName(),
  }),
  email: ({ internet, datatype }: Faker) => ({ email: internet.email(), confirmed: datatype.boolean() }),
  ipv4: ({ internet }: Faker) => ({ ip: internet.ipv4() }),
  ipv6: ({ internet }: Faker) => ({ ipv6: internet.ipv6() }),
  macAddress: ({ internet }: Faker) => ({ mac: internet.mac('-') }),
  url: ({ internet }: Faker) => ({ url: internet.url({ appendSlash: false }) }),
  user: ({ string, internet, person }: Faker) => ({
    uid: string.uuid(),
    email: internet.email(),
    firstname: person.firstName(),
    lastname: person.lastName(),
    password: internet.password(),
  }),
  uuid: ({ string }: Faker) => ({ uuid: string.uuid() }),
  semver: ({ system }: Faker) => ({ version: system.semver() }),
} satisfies Record<string, Generate>;

const types = [...(Object.keys(generators) as (keyof typeof generators)[]), 'nanoid' as const];

/** Random items of the type in the parameters; the same items for the same seed. */
export async function randomData(context: ExecuteContext, itemIndex: number): Promise<JsonObject[]> {
  const type = choiceParameter(context, 'randomDataType', itemIndex, types, 'user');
  const count = Math.floor(numberParameter(context, 'randomDataCount', itemIndex, 10));
  if (count < 0 || count > maxItems)
    throw new NodeOperationError(`the parameter "randomDataCount" must be 0 to ${maxItems}`, {
      itemIndex,
      description: 'Generate fewer items, or split the work over several runs',
    });
  const generate = type === 'nanoid' ? idGenerator(context, itemIndex) : generators[type];
  const faker = await seededFaker(textParameter(context, 'randomDataSeed', itemIndex));
  const slice = new TimeSlice();
  const data: JsonObject[] = [];
  while (data.length < count) {
    data.push(generate(faker));
    if (slice.isOver) await slice.next();
    context.signal.throwIfAborted();
  }
  return data;
}

function idGenerator(context: ExecuteContext, itemIndex: number): Generate {
  const alphabet = textParameter(context, 'nanoidAlphabet', itemIndex, defaultAlphabet);
  const length = numberParameter(context, 'nanoidLength', itemIndex, 16);
  if (alphabet === '' || !Number.isInteger(length) || length < 1 || length > maxIdLength) {
    const message = `the IDs need an alphabet, and a length from 1 to ${maxIdLength}`;
    throw new NodeOperationError(message, { itemIndex, description: 'Fill in both, or reset them to their defaults' });
  }
  return ({ string }) => ({ nanoId: string.fromCharacters(alphabet, length) });
}

/**
 * A separate generator, so that a seed affects no other execution. Loaded on first use: English
 * only, because loading every language would block the event loop for 0.3 s.
 */
async function seededFaker(seed: string): Promise<Faker> {
  const { faker: shared } = await import('@faker-js/faker/locale/en');
  const OwnFaker = shared.constructor as new (options: { locale: LocaleDefinition }) => Faker;
  const faker = new OwnFaker({ locale: shared.rawDefinitions });
  if (seed !== '') faker.seed(Array.from(seed.slice(0, 1_000), (character) => character.codePointAt(0) ?? 0));
  return faker;
}

function monthAndYear(date: Date): string {
  return `${stringOf(date.getUTCMonth() + 1).padStart(2, '0')}/${stringOf(date.getUTCFullYear()).slice(2)}`;
}
