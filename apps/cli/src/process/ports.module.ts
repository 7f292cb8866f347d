// The ports and databases that all modules of this process share.
import { type ClassProvider, type DynamicModule, Global, Module, type ValueProvider } from '@nestjs/common';

export type Port = (ValueProvider | ClassProvider) & { readonly provide: symbol };

@Global()
@Module({})
export class PortsModule {
  static register(ports: readonly Port[]): DynamicModule {
    return {
      module: PortsModule,
      providers: [...ports],
      exports: ports.map(({ provide }) => provide),
    };
  }
}
