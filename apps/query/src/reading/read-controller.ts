// What all controllers of this app have in common: the scope, and reading after a write.
import { applyDecorators, Controller, UseInterceptors } from '@nestjs/common';
import { RequireScope } from '#runtime';
import { ReadAfterInterceptor } from './read-after.interceptor.ts';

export const ReadController = (path: string): ClassDecorator =>
  applyDecorators(Controller(path), RequireScope('read'), UseInterceptors(ReadAfterInterceptor));
