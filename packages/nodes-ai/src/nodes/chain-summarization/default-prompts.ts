const summarize = 'Write a concise summary of the text below.\n\n"{text}"\n\nConcise summary:';

/** Prompts by their parameter. */
export const defaultPrompts = {
  combineMapPrompt: summarize,
  prompt: summarize,
  refineQuestionPrompt: summarize,
  refinePrompt:
    'Here is a summary of the first part of a text:\n\n"{existing_answer}"\n\nThe text continues:\n\n"{text}"\n\nImprove the summary with the continuation. If the continuation adds nothing, repeat the summary. Summary:',
} as const;

export type Prompts = Record<keyof typeof defaultPrompts, string>;
