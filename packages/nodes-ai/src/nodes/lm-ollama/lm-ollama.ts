import { ollamaChatModel } from '../../shared/ollama-chat.ts';

/** The older type for models without chat: the server adapts the messages to the model. */
export const lmOllama = ollamaChatModel('lm-ollama', 'Ollama Model');
