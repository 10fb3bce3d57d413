import { isJsonObject, type JsonObject, type JsonValue, NodeOperationError, ownProperty } from '@sluice/node-sdk';
import { operators, primitives, resizeOptions, steps as stepChoices } from './edit-image-properties.ts';
import { type ImageStep, maxSide } from './image-step.ts';

/** Maximum number of operations on an image, characters in a string, and coordinates. */
const maxSteps = 100;
const maxText = 10_000;
const maxPosition = 1_000_000;

/** Reads the parameters of steps, from the node or from list entries. */
export class StepReader {
  /** Properties with the images that steps overlay, in order. */
  readonly overlays: string[] = [];
  readonly #itemIndex: number;
  readonly #font: string;

  constructor(itemIndex: number, font: string) {
    this.#itemIndex = itemIndex;
    this.#font = font;
  }

  /** Steps in a list. */
  readList(value: JsonValue): ImageStep[] {
    const entries = [value].flat().filter(isJsonObject);
    if (entries.length === 0) throw this.#error('the list of operations is empty', 'Add an operation');
    if (entries.length > maxSteps)
      throw this.#error(`the list has more than ${maxSteps} operations`, 'Use several nodes, or fewer operations');
    return entries.map((entry) => this.read(entry));
  }

  read(options: JsonObject): ImageStep {
    const number = (name: string, fallback: number, least: number, most: number) =>
      this.#number(options, name, fallback, least, most);
    const side = (name: string, fallback: number) => Math.round(number(name, fallback, 1, maxSide));
    const position = (name: string, fallback: number) => number(name, fallback, -maxPosition, maxPosition);
    const color = (name: string, fallback: string) => this.#color(options, name, fallback);
    const operation = this.#choice(options, 'operation', 'resize', stepChoices) as ImageStep['operation'];
    switch (operation) {
      case 'blur':
        return { operation, blur: number('blur', 5, 0, 1_000), sigma: number('sigma', 2, 0, 1_000) };
      case 'border': {
        const [borderWidth, borderHeight] = [number('borderWidth', 10, 0, maxSide), number('borderHeight', 10, 0, maxSide)];
        return { operation, borderWidth, borderHeight, borderColor: color('borderColor', '#000000') };
      }
      case 'composite':
        return {
          operation,
          ...this.#composite(options),
          positionX: position('positionX', 0),
          positionY: position('positionY', 0),
        };
      case 'create':
        return {
          operation,
          width: side('width', 50),
          height: side('height', 50),
          backgroundColor: color('backgroundColor', '#ffffff00'),
        };
      case 'crop':
        return {
          operation,
          width: side('width', 500),
          height: side('height', 500),
          positionX: Math.round(position('positionX', 0)),
          positionY: Math.round(position('positionY', 0)),
        };
      case 'draw':
        return {
          operation,
          primitive: this.#choice(options, 'primitive', 'rectangle', primitives),
          color: color('color', '#ff000000'),
          startPositionX: position('startPositionX', 50),
          startPositionY: position('startPositionY', 50),
          endPositionX: position('endPositionX', 250),
          endPositionY: position('endPositionY', 50),
          cornerRadius: number('cornerRadius', 0, 0, maxSide),
        };
      case 'resize': {
        const resizeOption = this.#choice(options, 'resizeOption', 'maximumArea', resizeOptions);
        return { operation, width: side('width', 500), height: side('height', 500), resizeOption };
      }
      case 'rotate':
        return { operation, rotate: number('rotate', 0, -360, 360), backgroundColor: color('backgroundColor', '#ffffffff') };
      case 'shear':
        return { operation, degreesX: number('degreesX', 0, -89, 89), degreesY: number('degreesY', 0, -89, 89) };
      case 'text':
        return {
          operation,
          text: wrapped(this.#text(options, 'text', ''), number('lineLength', 80, 1, maxText)),
          font: this.#text(options, 'font', this.#font),
          fontSize: number('fontSize', 18, 1, 2_000),
          fontColor: color('fontColor', '#000000'),
          positionX: position('positionX', 50),
          positionY: position('positionY', 50),
        };
      default:
        return { operation: 'transparent', color: color('color', '#ff0000') };
    }
  }

  #composite(options: JsonObject): { overlay: number; operator: string } {
    const property = this.#text(options, 'dataPropertyNameComposite', '');
    if (property === '')
      throw this.#error('the parameter "dataPropertyNameComposite" is required', 'Name the property with the image to overlay');
    this.overlays.push(property);
    const names = [...operators.keys()].map((value) => ({ value }));
    const [operator = 'Over'] = operators.get(this.#choice(options, 'operator', 'Over', names)) ?? [];
    return { overlay: this.overlays.length, operator };
  }

  #value(options: JsonObject, name: string): JsonValue {
    return ownProperty(options, name) ?? '';
  }

  #text(options: JsonObject, name: string, fallback: string): string {
    const value = this.#value(options, name);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (text.length > maxText)
      throw this.#error(`the parameter "${name}" has more than ${maxText} characters`, 'Shorten the text');
    return text === '' ? fallback : text;
  }

  #number(options: JsonObject, name: string, fallback: number, least: number, most: number): number {
    const value = this.#value(options, name);
    if (value === '') return fallback;
    const number = typeof value === 'object' || typeof value === 'boolean' ? Number.NaN : Number(value);
    if (number >= least && number <= most) return number;
    throw this.#error(`the parameter "${name}" is not a number from ${least} to ${most}`, 'Correct the number');
  }

  #choice(options: JsonObject, name: string, fallback: string, choices: readonly { value: unknown }[]): string {
    const value = this.#text(options, name, fallback);
    if (choices.some((choice) => choice.value === value)) return value;
    throw this.#error(
      `the parameter "${name}" has no choice ${JSON.stringify(value.slice(0, 50))}`,
      'Choose a value from the list',
    );
  }

  /** A color with its alpha: in workflows, `00` is opaque. */
  #color(options: JsonObject, name: string, fallback: string): string {
    const value = this.#text(options, name, fallback).trim();
    if (/^[a-z]{3,30}\d{0,3}$/i.test(value)) return value.toLowerCase();
    const [, hex = ''] = /^#?([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.exec(value) ?? [];
    if (hex === '')
      throw this.#error(`the parameter "${name}" is not a color`, 'Write it as #ff0000, or as a name such as red');
    const long = hex.length < 6 ? [...hex].map((digit) => `${digit}${digit}`).join('') : hex;
    const opacity = Number.parseInt(long.slice(6) || '00', 16);
    return `#${long.slice(0, 6)}${(255 - opacity).toString(16).padStart(2, '0')}`;
  }

  #error(message: string, description: string): NodeOperationError {
    return new NodeOperationError(message, { itemIndex: this.#itemIndex, description });
  }
}

/**
 * Breaks lines between words, with at most `length` characters per line unless a word is longer.
 */
function wrapped(text: string, length: number): string {
  const lines = text.split('\n').flatMap((line) => {
    const [first = '', ...words] = line.split(' ');
    const broken = [first];
    for (const word of words) {
      const last = broken.at(-1) ?? '';
      if (last.length + 1 + word.length > length) broken.push(word);
      else broken[broken.length - 1] = `${last} ${word}`;
    }
    return broken;
  });
  return lines.join('\n');
}
