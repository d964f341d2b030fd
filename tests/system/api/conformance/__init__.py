"""The rules of the interface and of D1-D57, each as a small test named as a sentence."""
