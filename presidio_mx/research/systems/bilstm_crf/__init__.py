"""The BiLSTM-CRF: recognizer, network, words."""
