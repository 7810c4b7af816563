"""The words for events and addresses: "lock mutex", `queue->head`."""
