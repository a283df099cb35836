import * as z from 'zod';

// Must run before any schema: zod's probe for code generation would trip the content policy.
z.config({ jitless: true });
