import * as z from 'zod';
import { templateSchema } from '../../payments/template.ts';
import { defineRequest, profileId } from '../define-request.ts';

/** Requests about payment templates. */
export const templateRequests = {
  'templates.list': defineRequest(
    "A profile's templates for frequent charges, by name.",
    { right: 'everyone', effect: 'none' },
    z.object({ profileId }),
    z.object({ templates: z.array(templateSchema) }),
  ),
  'templates.save': defineRequest(
    'Add a template (id null), change one, or restore a removed one.',
    { right: 'links', effect: 'write', recorded: 'no' },
    templateSchema.extend({ id: z.uuid().nullable() }),
    z.object({ template: templateSchema, templates: z.array(templateSchema) }),
  ),
  'templates.remove': defineRequest(
    'Remove a template; returns the other templates of its profile.',
    { right: 'links', effect: 'write', recorded: 'no' },
    z.object({ id: z.uuid() }),
    z.object({ templates: z.array(templateSchema) }),
  ),
} as const;
