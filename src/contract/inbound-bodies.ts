import type {
  BytesAnswer,
  CteInboundDocument,
  CteInboundInput,
  CteInboundSettings,
  FetchByKeyInput,
  InboundAccepted,
  InboundEvent,
  NfeInboundDocument,
  NfeInboundInput,
  NfeInboundSettings,
  NfseInboundCompanies,
  NfseInboundDocument,
  NfseInboundInput,
  NfseInboundPage,
  NfseInboundRegistration,
  NfseInboundSettings,
  ODataPage,
} from './inbound.js';
import type {
  BackfillReleaseInput,
  BackfillSummary,
  CaptureNotifications,
  CaptureStatistics,
  FetchNowInput,
  MaintenanceAccepted,
  ResetNsuInput,
  StartFromDateInput,
} from './maintenance.js';

interface Read<Response> {
  request: undefined;
  response: Response;
}

interface Send<Request, Response> {
  request: Request;
  response: Response;
}

/** The bodies of the inbound operations. */
export interface InboundBodies {
  'nfe.inbound.enable': Send<NfeInboundInput, NfeInboundSettings>;
  'nfe.inbound.settings': Read<NfeInboundSettings>;
  'nfe.inbound.update': Send<NfeInboundInput, NfeInboundSettings>;
  'nfe.inbound.disable': Read<NfeInboundSettings | undefined>;
  'nfe.inbound.list': Read<ODataPage<NfeInboundDocument>>;
  'nfe.inbound.get': Read<NfeInboundDocument>;
  'nfe.inbound.xml': Read<BytesAnswer>;
  'nfe.inbound.pdf': Read<BytesAnswer>;
  'nfe.inbound.json': Read<Readonly<Record<string, unknown>>>;
  'nfe.inbound.events': Read<ODataPage<InboundEvent>>;
  'nfe.inbound.event.get': Read<InboundEvent>;
  'nfe.inbound.event.xml': Read<BytesAnswer>;
  'nfe.inbound.reprocessWebhook': Read<InboundAccepted | undefined>;
  'cte.inbound.enable': Send<CteInboundInput, CteInboundSettings>;
  'cte.inbound.settings': Read<CteInboundSettings>;
  'cte.inbound.disable': Read<CteInboundSettings | undefined>;
  'cte.inbound.list': Read<ODataPage<CteInboundDocument>>;
  'cte.inbound.get': Read<CteInboundDocument>;
  'cte.inbound.xml': Read<BytesAnswer>;
  'cte.inbound.pdf': Read<BytesAnswer>;
  'cte.inbound.events': Read<ODataPage<InboundEvent>>;
  'cte.inbound.event.get': Read<InboundEvent>;
  'cte.inbound.event.xml': Read<BytesAnswer>;
  'nfse.inbound.enable': Send<NfseInboundRegistration, NfseInboundSettings>;
  'nfse.inbound.companies': Read<NfseInboundCompanies>;
  'nfse.inbound.settings': Read<NfseInboundSettings>;
  'nfse.inbound.update': Send<NfseInboundInput, NfseInboundSettings>;
  'nfse.inbound.disable': Read<NfseInboundSettings | undefined>;
  'nfse.inbound.list': Read<NfseInboundPage | ODataPage<NfseInboundDocument>>;
  'nfse.inbound.get': Read<NfseInboundDocument>;
  'nfse.inbound.xml': Read<BytesAnswer>;
  'nfse.inbound.pdf': Read<BytesAnswer>;
  'nfse.inbound.json': Read<Readonly<Record<string, unknown>>>;
  'nfse.inbound.reprocess': Read<InboundAccepted | undefined>;
  'nfse.inbound.resendWebhook': Read<InboundAccepted | undefined>;
  'nfse.fetchByKey': Send<FetchByKeyInput, NfseInboundDocument>;
  'nfse.startFromDate.set': Send<StartFromDateInput, undefined>;
  'nfse.backfill.summary': Read<BackfillSummary>;
  'nfse.backfill.release': Send<BackfillReleaseInput, MaintenanceAccepted | undefined>;
  'nfse.fetchNow': Send<FetchNowInput | undefined, MaintenanceAccepted | undefined>;
  'nfse.notifications': Read<CaptureNotifications>;
  'nfse.statistics': Read<CaptureStatistics>;
  'nfse.reactivate': Read<MaintenanceAccepted | undefined>;
  'nfse.resetNsu': Send<ResetNsuInput, MaintenanceAccepted | undefined>;
}

/** The operations that answer with bytes. */
export type ByteOperationId = {
  [Id in keyof InboundBodies]: InboundBodies[Id]['response'] extends BytesAnswer
    ? BytesAnswer extends InboundBodies[Id]['response']
      ? Id
      : never
    : never;
}[keyof InboundBodies];
