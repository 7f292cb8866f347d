// Marks what is answered without an API key: health and static pages, never anything of a tenant.
import { SetMetadata } from '@nestjs/common';

export const PUBLIC_METADATA = 'duewatch:public';

/** The guard asks no key for the handler (or any handler of the controller). */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC_METADATA, true);
