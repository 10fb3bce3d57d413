import type { ExecuteContext, Item } from '@sluice/node-sdk';
import { binaryOf, textParameter } from '@sluice/nodes-base/node-tools';
import { optionValues } from '../../shared/option-values.ts';
import { callGemini, geminiModel } from './call-gemini.ts';
import { mediaParts } from './media-parts.ts';
import { shownAnswer } from './message-gemini.ts';
import { uploadMedia } from './upload-media.ts';

type Operation = (context: ExecuteContext, itemIndex: number) => Promise<Item | Item[]>;

const defaultModel = 'models/gemini-2.5-flash';

/** Answers a question about files of one kind. */
export function analyzed(kind: 'audio' | 'document' | 'image' | 'video'): Operation {
  return async (context, itemIndex) => {
    const text = textParameter(context, 'text', itemIndex, `What's in this ${kind}?`);
    return askAbout(context, itemIndex, `${kind}Urls`, text);
  };
}

/** Transcribes speech. */
export const transcribed: Operation = (context, itemIndex) => {
  const start = textParameter(context, 'options.startTime', itemIndex);
  const end = textParameter(context, 'options.endTime', itemIndex);
  const from = start === '' ? '' : ` from ${start}`;
  const to = end === '' ? '' : ` until ${end}`;
  return askAbout(context, itemIndex, 'audioUrls', `Write a transcript of the speech${from}${to}.`);
};

async function askAbout(context: ExecuteContext, itemIndex: number, urls: string, text: string): Promise<Item[]> {
  const model = geminiModel(context, itemIndex, defaultModel);
  const files = await mediaParts(context, itemIndex, urls);
  const generationConfig = optionValues(context, itemIndex, { maxOutputTokens: 'maxOutputTokens' });
  const contents = [{ role: 'user', parts: [...files, { text }] }];
  const answer = await callGemini(context, itemIndex, model, 'generateContent', { contents, generationConfig });
  return shownAnswer(context, itemIndex, answer);
}

/** Uploads a file of the item to Google, which keeps it for 48 hours. */
export const uploadedFile: Operation = async (context, itemIndex) => {
  const property = textParameter(context, 'binaryPropertyName', itemIndex, 'data') || 'data';
  const json = await uploadMedia(context, itemIndex, binaryOf(context, itemIndex, property));
  return { json, pairedItem: { item: itemIndex } };
};
