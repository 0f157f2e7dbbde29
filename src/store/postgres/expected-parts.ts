interface Table {
  /** By type. */
  readonly columns: Readonly<Record<string, string>>;
  readonly indexes: string;
  readonly constraints: string;
}

/** The tables as the steps of `migrations.ts` leave them, by the names that PostgreSQL gives; a test compares both. */
const tables: Readonly<Record<string, Table>> = {
  answers: {
    columns: {
      'text not null': 'answer digest kind profile',
      'bigint not null': 'fetched_at',
    },
    indexes: 'answers_pkey',
    constraints: 'answers_pkey',
  },
  cursors: {
    columns: {
      'bigint not null': 'at',
      'text not null': 'company_id family position profile stream',
    },
    indexes: 'cursors_pkey',
    constraints: 'cursors_pkey',
  },
  document_events: {
    columns: {
      text: `answer_code answer_text archive author created_on description issued_on nsu path protocol reason sha256
        substitute_key type`,
      bigint: 'archived_at bytes code sequence',
      smallint: 'registered',
      'text not null': 'company_id document_id event_key family profile state',
      'smallint not null': 'due',
      'bigint not null': 'first_seen_at seq',
      'boolean not null': 'is_conclusive',
    },
    indexes: `document_events_due document_events_pkey document_events_profile_company_id_family_document_id_event_key`,
    constraints: `document_events_due_check document_events_family_check document_events_pkey
      document_events_profile_company_id_family_document_id_event_key document_events_registered_check
      document_events_state_check`,
  },
  document_groups: {
    columns: {
      'text not null': 'company_id family profile worker_id',
    },
    indexes: 'document_groups_pkey',
    constraints: 'document_groups_pkey',
  },
  documents: {
    columns: {
      text: `access_key amount_text archive authorized_on created_on issued_on issuer issuer_name modified_on nsu path pdf_path
        pdf_sha256 pdf_state reason recipient sha256 signature status type webhook_status xml_facts xml_kind`,
      bigint: 'archived_at bytes nsu_number pdf_bytes',
      'text not null': 'company_id data family id profile state term_data term_day',
      'smallint not null': 'due',
      'bigint not null': 'first_seen_at issued_at seq updated_at version',
    },
    indexes: `documents_by_day documents_by_issue documents_by_issuer documents_by_nsu documents_by_sight documents_by_status
      documents_by_webhook documents_due documents_not_full documents_pkey documents_profile_company_id_family_id_key`,
    constraints: `documents_due_check documents_family_check documents_pdf_state_check documents_pkey
      documents_profile_company_id_family_id_key documents_signature_check documents_state_check documents_xml_kind_check`,
  },
  history: {
    columns: {
      'bigint not null': 'at attempt duration_ms seq',
      text: 'ci_run deprecation error_code item_id job_id machine os_user request_id',
      'text not null': 'method operation profile sent url',
      bigint: 'status',
    },
    indexes: 'history_by_job history_by_time history_pkey',
    constraints: 'history_pkey',
  },
  identity: {
    columns: {
      text: 'copy',
      bigint: 'first_send_at may_lack_until went_back_to',
      'text not null': 'id',
      'smallint not null': 'one',
    },
    indexes: 'identity_pkey',
    constraints: 'identity_one_check identity_pkey',
  },
  item_events: {
    columns: {
      'bigint not null': 'at item seq',
      'text not null': 'from_state step to_state',
      text: 'ci_run machine os_user',
    },
    indexes: 'item_events_by_item item_events_pkey',
    constraints: 'item_events_item_fkey item_events_pkey',
  },
  items: {
    columns: {
      text: `answered_company duplicate_of error_code error_message location lookup previous_id remote_status request_id resource_id
        worker_id`,
      'bigint not null': 'attempts due_at epoch ordinal seq updated_at',
      'smallint not null': 'billed holds_key replaced',
      'text not null': 'dedupe_key id idempotency_key input job_id kind label profile state',
      bigint: 'http_status sent_at settled_at',
    },
    indexes: `invoices_by_resource invoices_without_resource items_by_state items_by_worker items_holding_key items_id_key
      items_in_order items_pending_by_resource items_pkey items_sent_before`,
    constraints: `items_billed_check items_holds_key_check items_id_key items_job_id_fkey items_lookup_check items_pkey
      items_replaced_check items_state_check`,
  },
  jobs: {
    columns: {
      text: 'ci_run machine os_user',
      'text not null': 'command_line id input_digest kind loader_id operation profile scope state',
      'bigint not null': 'created_at seq updated_at',
      bigint: 'finished_at',
    },
    indexes: 'jobs_by_digest jobs_id_key jobs_pkey',
    constraints: 'jobs_id_key jobs_pkey jobs_state_check',
  },
  known: {
    columns: {
      'text not null': 'data id kind profile scope',
      'bigint not null': 'first_seen_at seen_at seq',
      text: 'label status',
    },
    indexes: 'known_by_label known_pkey known_profile_kind_scope_id_key',
    constraints: 'known_pkey known_profile_kind_scope_id_key',
  },
  owed: {
    columns: {
      'text not null': 'company_id document_id event_key family profile',
      'bigint not null': 'next_at since tries',
      text: 'reason written_off_reason',
      bigint: 'tried_at written_off_at',
    },
    indexes: 'owed_pkey',
    constraints: 'owed_family_check owed_pkey',
  },
  pace: {
    columns: {
      'double precision': 'asked_ms refused_at',
      'double precision not null':
        'accepted accepted_then agreeing blocked_until interval_ms limit_per_ms next_slot_at',
      'text not null': 'host profile',
    },
    indexes: 'pace_pkey',
    constraints: 'pace_pkey',
  },
  server: {
    columns: {
      bigint: 'changed_at',
      'text not null': 'history',
      'boolean not null': 'is_synchronous',
      'smallint not null': 'one',
    },
    indexes: 'server_pkey',
    constraints: 'server_one_check server_pkey',
  },
  timeline: {
    columns: {
      'double precision not null': 'first_ms first_uptime_ms wall_offset_ms',
      'text not null': 'machine',
    },
    indexes: 'timeline_pkey',
    constraints: 'timeline_pkey',
  },
  usage: {
    columns: {
      'bigint not null': 'at seq',
      'text not null': 'billed operation outcome profile',
      text: 'billed_once_for ci_run company_id item_id job_id machine os_user request_id',
    },
    indexes: 'usage_billed_once usage_by_time usage_of_company usage_pkey',
    constraints: 'usage_billed_check usage_outcome_check usage_pkey',
  },
  version: {
    columns: {
      'smallint not null': 'one',
      'bigint not null': 'schema',
    },
    indexes: 'version_pkey',
    constraints: 'version_one_check version_pkey',
  },
  webhook_events: {
    columns: {
      'bigint not null': 'attempts copies received_at seq',
      'bytea not null': 'body',
      'text not null': 'digest done_by event hook_id id profile resource scheme state',
      bigint: 'due_at settled_at',
      text: 'last_error worker_id',
    },
    indexes: `webhook_events_by_resource webhook_events_dead webhook_events_due webhook_events_id_key webhook_events_pkey
      webhook_events_profile_digest_hook_id_key webhook_events_waiting`,
    constraints: `webhook_events_id_key webhook_events_pkey webhook_events_profile_digest_hook_id_key webhook_events_state_check`,
  },
  workers: {
    columns: {
      'bigint not null': 'expires_at pid',
      'text not null': 'id machine process_start',
      text: 'job_id',
    },
    indexes: 'workers_pkey',
    constraints: 'workers_pkey',
  },
};

/** In the words of `partsOf`. */
export const expectedParts: readonly string[] = Object.entries(tables).flatMap(
  ([table, { columns, indexes, constraints }]) => [
    ...Object.entries(columns).flatMap(([type, names]) =>
      wordsOf(names).map((name) => `${table} column ${name} ${type}`),
    ),
    ...wordsOf(constraints).map((name) => `${table} constraint ${name}`),
    ...wordsOf(indexes).map((name) => `${table} index ${name}`),
  ],
);

function wordsOf(names: string): readonly string[] {
  return names.split(/\s+/);
}
