import { compatibleChatModel } from '../../shared/compatible-chat-model.ts';

const address = 'https://router.huggingface.co/v1';

/** https://huggingface.co/docs/inference-providers/tasks/chat-completion */
export const lmOpenHuggingFaceInference = compatibleChatModel({
  name: 'lm-open-hugging-face-inference',
  service: 'Hugging Face',
  displayName: 'Hugging Face Inference Model',
  credential: 'huggingFaceApi',
  model: { fallback: 'openai/gpt-oss-120b' },
  address: () => address,
});
