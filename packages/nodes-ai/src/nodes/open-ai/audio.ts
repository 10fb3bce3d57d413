import type { BinaryReference, ExecuteContext, Item } from '@sluice/node-sdk';
import { binaryOf, type FormPart, requiredText, stringOf, textParameter } from '@sluice/nodes-base/node-tools';
import { fileItem } from '../../shared/file-item.ts';
import { modelIdOf } from '../../shared/model-list.ts';
import { optionValues } from '../../shared/option-values.ts';
import { callOpenAi, fetchOpenAi } from './call-open-ai.ts';

const audioTypes: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
};

/** The transcription model. */
const transcriber = 'whisper-1';

/** Speech from text. https://platform.openai.com/docs/api-reference/audio/createSpeech */
export async function speak(context: ExecuteContext, itemIndex: number): Promise<Item> {
  const options = optionValues(context, itemIndex, { response_format: 'response_format', speed: 'speed' });
  const model = modelIdOf(context, itemIndex, 'model', 'tts-1');
  const json = {
    model,
    input: requiredText(context, 'input', itemIndex),
    voice: textParameter(context, 'voice', itemIndex, 'alloy'),
    ...options,
  };
  const { body } = await fetchOpenAi(context, itemIndex, '/audio/speech', { model, json });
  const format = stringOf(options['response_format'] ?? 'mp3');
  const property = textParameter(context, 'options.binaryPropertyOutput', itemIndex, 'data') || 'data';
  const mimeType = Object.hasOwn(audioTypes, format) ? (audioTypes[format] ?? '') : 'application/octet-stream';
  return fileItem(context, itemIndex, { property, bytes: body, mimeType, fileName: `data.${format}` });
}

/** Transcribes speech. https://platform.openai.com/docs/api-reference/audio/createTranscription */
export function transcribe(context: ExecuteContext, itemIndex: number): Promise<Item> {
  return heard(context, itemIndex, '/audio/transcriptions', { language: 'language', temperature: 'temperature' });
}

/**
 * Translates speech to English text.
 * https://platform.openai.com/docs/api-reference/audio/createTranslation
 */
export function translate(context: ExecuteContext, itemIndex: number): Promise<Item> {
  return heard(context, itemIndex, '/audio/translations', { temperature: 'temperature' });
}

async function heard(
  context: ExecuteContext,
  itemIndex: number,
  path: string,
  members: Readonly<Record<string, string>>,
): Promise<Item> {
  const property = textParameter(context, 'binaryPropertyName', itemIndex, 'data') || 'data';
  const options = Object.entries(optionValues(context, itemIndex, members));
  const form: FormPart[] = [
    { name: 'file', file: named(binaryOf(context, itemIndex, property)) },
    { name: 'model', value: transcriber },
    ...options.map(([name, value]) => ({ name, value: stringOf(value) })),
  ];
  return { json: await callOpenAi(context, itemIndex, path, { model: transcriber, form }), pairedItem: { item: itemIndex } };
}

/** The API detects the format from the file extension. */
function named(file: BinaryReference): BinaryReference {
  const { fileName = '', fileExtension = 'mp3' } = file;
  return fileName.includes('.') ? file : { ...file, fileName: `${fileName || 'audio'}.${fileExtension}` };
}
