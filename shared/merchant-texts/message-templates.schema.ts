import * as z from 'zod';
import { maxMessageChars, messageSlots } from './message-templates.ts';

const texts = z.partialRecord(z.enum(messageSlots), z.string().trim().min(1).max(maxMessageChars));

/** The merchant's messages by language; main validates their content when they change. */
export const messageTemplatesSchema = z.object({ en: texts, de: texts });
