import * as z from 'zod';
import { maxSentenceChars } from './custom-scripts.ts';
import { paymentStates } from '../payments/payment-kinds.ts';

const sentences = z.partialRecord(z.enum(paymentStates), z.string().trim().min(1).max(maxSentenceChars));

/** The merchant's custom scripts by language; main validates their content when they change. */
export const customScriptsSchema = z.object({ en: sentences, de: sentences });
